package io.bucketwright.app.volumes;

import io.bucketwright.runtime.engine.ControllerProcessBuilder;
import io.bucketwright.volumes.releaser.ReleaserNames;
import io.bucketwright.volumes.releaser.VolumeReleaser;
import org.slf4j.Logger;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** {@code bucketwright pv-releaser}. */
@Command(
        name = "pv-releaser",
        mixinStandardHelpOptions = true,
        description = {
            "Makes Released PersistentVolumes with reclaim policy Retain Available again.",
            "Accepts the flags of reclaimable-pv-releaser, with one dash or two. See docs/pv-releaser.md."
        })
public final class PvReleaserCommand extends VolumeCommand {

    @Option(
            names = {"--disable-automatic-association", "-disable-automatic-association"},
            arity = "0..1",
            fallbackValue = "true",
            paramLabel = "BOOL",
            description = "Release only volumes with the label " + ReleaserNames.MANAGED_BY
                    + ", and those of classes with the annotation " + ReleaserNames.CONTROLLER_ID + ".")
    private boolean disableAutomaticAssociation;

    @Option(
            names = "--scrub-namespace",
            paramLabel = "NAMESPACE",
            description = "Namespace of the pods that empty volumes whose class sets `scrub` (default: such volumes are"
                    + " not released).")
    private String scrubNamespace = "";

    @Override
    protected void warn(Logger log) {
        super.warn(log);
        if (!namespace().isEmpty()) {
            log.warn("PersistentVolumes have no namespace: -namespace is only the default of -lease-lock-namespace");
        }
    }

    @Override
    ControllerProcessBuilder<?> builder() {
        return VolumeReleaser.builder()
                .controllerId(id())
                .automaticAssociation(!disableAutomaticAssociation)
                .scrubNamespace(scrubNamespace)
                .workers(workers());
    }
}
