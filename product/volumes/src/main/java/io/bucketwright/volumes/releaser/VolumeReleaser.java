package io.bucketwright.volumes.releaser;

import io.bucketwright.runtime.engine.ControllerContext;
import io.bucketwright.runtime.engine.ControllerProcess;
import io.bucketwright.runtime.engine.ControllerProcessBuilder;
import io.bucketwright.volumes.ControllerId;

/**
 * Releases PersistentVolumes: makes Released volumes Available again.
 *
 * {@snippet :
 * try (ControllerProcess releaser =
 *         VolumeReleaser.builder().controllerId("build-cache").build()) {
 *     releaser.run();
 * }
 * }
 */
public final class VolumeReleaser {

    /** The reporting controller of events, the same as that of reclaimable-pv-releaser. */
    private static final String REPORTER = "reclaimable-pv-releaser";

    private VolumeReleaser() {}

    public static Builder builder() {
        return new Builder();
    }

    /** Options of the releaser. Only the controller id is required. */
    public static final class Builder extends ControllerProcessBuilder<Builder> {

        private String id = "";
        private boolean automatic = true;
        private String scrubNamespace = "";

        private Builder() {
            super(REPORTER, "releaser");
        }

        /** The controller id in labels of volumes and claims and in annotations of classes. */
        public Builder controllerId(String value) {
            id = value;
            return this;
        }

        /** Whether to associate volumes of claims that a PVC provisioner with the same id created. Default: true. */
        public Builder automaticAssociation(boolean value) {
            automatic = value;
            return this;
        }

        /** The namespace of scrub pods. Without it, volumes that must be scrubbed are not released. */
        public Builder scrubNamespace(String value) {
            scrubNamespace = value;
            return this;
        }

        @Override
        protected void register(ControllerContext context, ControllerProcess process) {
            ReleaseController.register(
                    context, new ReleaserSettings(new ControllerId(id), automatic, scrubNamespace), workers());
        }
    }
}
