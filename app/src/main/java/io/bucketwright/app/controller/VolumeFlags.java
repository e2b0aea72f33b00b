package io.bucketwright.app.controller;

import io.bucketwright.volumes.podclaims.ControllerId;
import picocli.CommandLine.Option;

/** The flags of {@code bucketwright controller} for the roles about volumes. */
final class VolumeFlags {

    @Option(
            names = "--controller-id",
            defaultValue = "bucketwright",
            paramLabel = "ID",
            description = "What pods' claims and their volumes are labelled with (default: ${DEFAULT-VALUE}).")
    private String id = "";

    @Option(
            names = "--authorize",
            description = "Make a pod's claim only if its service account could; docs/pod-claims.md says what that is"
                    + " worth.")
    private boolean authorize;

    @Option(names = "--disable-automatic-association", description = "Release only what its label or class says.")
    private boolean disableAutomaticAssociation;

    @Option(
            names = "--scrub-namespace",
            defaultValue = "",
            paramLabel = "NAMESPACE",
            description = "Where volumes are emptied whose class says so (default: they are not released).")
    private String scrubNamespace = "";

    VolumeOptions options() {
        return new VolumeOptions(new ControllerId(id), authorize, !disableAutomaticAssociation, scrubNamespace);
    }
}
