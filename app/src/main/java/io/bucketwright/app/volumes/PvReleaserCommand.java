package io.bucketwright.app.volumes;

import io.bucketwright.volumes.releaser.VolumeReleaser;
import io.fabric8.kubernetes.client.Config;
import org.slf4j.Logger;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** {@code bucketwright pv-releaser}. */
@Command(
        name = "pv-releaser",
        mixinStandardHelpOptions = true,
        description = {
            "Makes Released PersistentVolumes with policy Retain Available again.",
            "Takes the flags of reclaimable-pv-releaser, with one dash or two. docs/pv-releaser.md explains it."
        })
public final class PvReleaserCommand extends VolumeCommand {

    @Option(
            names = {"--disable-automatic-association", "-disable-automatic-association"},
            arity = "0..1",
            fallbackValue = "true",
            paramLabel = "BOOL",
            description = "Release only what its own label or its class says.")
    private boolean disableAutomaticAssociation;

    @Option(
            names = "--scrub-namespace",
            defaultValue = "",
            paramLabel = "NAMESPACE",
            description = "Where volumes are emptied whose class says `scrub` (default: they are not released).")
    private String scrubNamespace = "";

    @Override
    Running start(Config client, ProcessFlags flags, Logger log) {
        if (!flags.namespace().isEmpty()) {
            log.warn("Volumes have no namespace: -namespace only says where the lease is");
        }
        VolumeReleaser releaser = VolumeReleaser.builder()
                .client(client)
                .controllerId(flags.id())
                .automaticAssociation(!disableAutomaticAssociation)
                .scrubNamespace(scrubNamespace)
                .workers(flags.workers())
                .lease(flags.leaseNamespace(), flags.leaseName(), flags.timing())
                .identity(flags.identity())
                .status(flags.address())
                .build()
                .start();
        return new Running() {
            @Override
            public int port() {
                return releaser.port();
            }

            @Override
            public void end() {
                releaser.close();
            }
        };
    }
}
