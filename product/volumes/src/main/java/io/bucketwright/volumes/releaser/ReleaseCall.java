package io.bucketwright.volumes.releaser;

import io.bucketwright.runtime.controller.Problem;
import io.bucketwright.runtime.controller.Step;
import io.fabric8.kubernetes.api.model.Namespace;
import io.fabric8.kubernetes.api.model.PersistentVolume;
import io.fabric8.kubernetes.api.model.PersistentVolumeClaim;
import io.fabric8.kubernetes.api.model.Pod;
import java.util.Optional;

/** What the releaser does besides single writes. */
sealed interface ReleaseCall extends Step.Call {

    /** Bind the volume to a new claim of the same name in the same namespace, if the namespace still exists. */
    record Rebind(PersistentVolume volume, PersistentVolumeClaim claim, Namespace namespace) implements ReleaseCall {
        @Override
        public Optional<Step.Rejection> rejection() {
            return Optional.of(ReleaseDecision.notReleased(volume, ""));
        }
    }

    /** Report and delete a failed scrub pod; another one is created after a back-off. */
    record ReplacePod(PersistentVolume volume, Pod pod, Problem problem) implements ReleaseCall {}
}
