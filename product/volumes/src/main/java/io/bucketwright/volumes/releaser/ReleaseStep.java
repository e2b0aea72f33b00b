package io.bucketwright.volumes.releaser;

import io.bucketwright.runtime.controller.Problem;
import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.api.model.Namespace;
import io.fabric8.kubernetes.api.model.PersistentVolume;
import io.fabric8.kubernetes.api.model.PersistentVolumeClaim;
import io.fabric8.kubernetes.api.model.Pod;

/** The next step for a volume. */
sealed interface ReleaseStep {

    /** Report a problem by an event. */
    record Report(PersistentVolume volume, Problem problem) implements ReleaseStep {}

    /** Add the label for the claim that the volume is bound to. */
    record Associate(PersistentVolume volume) implements ReleaseStep {}

    /** Remove the label, which was added for another claim. */
    record Disassociate(PersistentVolume volume) implements ReleaseStep {}

    /** Record the namespace of the claim that the volume is bound to. */
    record RecordNamespace(PersistentVolume volume, Namespace namespace) implements ReleaseStep {}

    /** Bind the volume to a new claim of the same name in the same namespace. */
    record Rebind(PersistentVolume volume, PersistentVolumeClaim claim, Namespace namespace) implements ReleaseStep {}

    /** Refer to the former claim again: Kubernetes bound its successor to another volume. */
    record RestoreFormerClaim(PersistentVolume volume, FormerClaim former) implements ReleaseStep {}

    /** Remove the record of the former claim: its successor is bound. */
    record ForgetFormerClaim(PersistentVolume volume) implements ReleaseStep {}

    /** Make the volume Available for any claim. */
    record Release(PersistentVolume volume, ReleaseMode mode) implements ReleaseStep {}

    /** Record the intent to scrub the volume, and reserve it for the scrub claim. */
    record Reserve(PersistentVolume volume) implements ReleaseStep {}

    /** Create the scrub claim or the scrub pod. */
    record Create(PersistentVolume volume, HasMetadata helper) implements ReleaseStep {}

    /** Record that the volume is empty. */
    record MarkScrubbed(PersistentVolume volume) implements ReleaseStep {}

    /** Delete a scrub object that is no longer needed. */
    record Delete(HasMetadata helper) implements ReleaseStep {}

    /** Delete a failed scrub pod; another one is created after a back-off. */
    record Replace(Pod pod, Problem problem) implements ReleaseStep {}
}
