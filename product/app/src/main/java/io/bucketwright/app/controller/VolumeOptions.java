package io.bucketwright.app.controller;

import io.bucketwright.app.options.RoleLeaseName;
import io.bucketwright.runtime.leader.LeaseName;
import io.bucketwright.volumes.podclaims.PodClaimProvisioner;
import io.bucketwright.volumes.releaser.ReleaserNames;
import io.bucketwright.volumes.releaser.VolumeReleaser;
import picocli.CommandLine.Option;

/** Flags of {@code bucketwright controller} for the roles {@code pod-claims} and {@code releaser}. */
final class VolumeOptions {

    @Option(
            names = "--controller-id",
            defaultValue = RoleLeaseName.DEFAULT_ID,
            paramLabel = "ID",
            description = "Label value on the claims of pods and on their volumes (default: ${DEFAULT-VALUE}).")
    private String id = "";

    @Option(
            names = "--authorize",
            description = "Create a pod's claim only if the pod's service account may create claims. See"
                    + " docs/pod-claims.md.")
    private boolean authorize;

    @Option(
            names = "--disable-automatic-association",
            description = "Release only volumes with the label " + ReleaserNames.MANAGED_BY
                    + ", and those of classes with the annotation " + ReleaserNames.CONTROLLER_ID + ".")
    private boolean disableAutomaticAssociation;

    @Option(
            names = "--scrub-namespace",
            paramLabel = "NAMESPACE",
            description = "Namespace of the pods that empty volumes whose class requests it (default: such volumes are"
                    + " not released).")
    private String scrubNamespace = "";

    /** Processes with another id work on other objects. */
    String lease(ControllerRole role, String namespace) {
        return RoleLeaseName.of(role.toString(), id, RoleLeaseName.DEFAULT_ID, namespace);
    }

    PodClaimProvisioner.Builder podClaims() {
        return PodClaimProvisioner.builder()
                .controllerId(id)
                .authorize(authorize)
                .describe(LeaseName.SERVES, id);
    }

    VolumeReleaser.Builder releaser() {
        return VolumeReleaser.builder()
                .controllerId(id)
                .automaticAssociation(!disableAutomaticAssociation)
                .scrubNamespace(scrubNamespace)
                .describe(LeaseName.SERVES, id);
    }
}
