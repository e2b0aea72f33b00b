package io.bucketwright.volumes.podclaims;

import io.bucketwright.runtime.engine.ControllerContext;
import io.bucketwright.runtime.engine.ControllerProcess;
import io.bucketwright.runtime.engine.ControllerProcessBuilder;
import io.bucketwright.volumes.ControllerId;

/**
 * Creates the claims that Pending pods request by annotation.
 *
 * {@snippet :
 * try (ControllerProcess process =
 *         PodClaimProvisioner.builder().controllerId("build-cache").build()) {
 *     process.run();
 * }
 * }
 */
public final class PodClaimProvisioner {

    /** The source of events, the same as that of dynamic-pvc-provisioner. */
    static final String REPORTER = "dynamic-pvc-provisioner";

    private PodClaimProvisioner() {}

    public static Builder builder() {
        return new Builder();
    }

    /** Options of the provisioner; only the controller id is required. */
    public static final class Builder extends ControllerProcessBuilder<Builder> {

        private String id = "";
        private String namespace = "";
        private boolean authorize;

        private Builder() {
            super(REPORTER, "pod-claims");
        }

        /** The value of a label of each claim; a releaser with the same id releases their volumes. */
        public Builder controllerId(String value) {
            id = value;
            return this;
        }

        /** Serves the pods of one namespace; without it, all. */
        public Builder namespace(String value) {
            namespace = value;
            return this;
        }

        /** Creates a claim only if the pod's service account may: a best effort, see docs/pod-claims.md. */
        public Builder authorize(boolean value) {
            authorize = value;
            return this;
        }

        @Override
        protected void register(ControllerContext context, ControllerProcess process) {
            PodClaimController.register(
                    context, new PodClaimDecision(new ControllerId(id), authorize), namespace, workers());
        }
    }
}
