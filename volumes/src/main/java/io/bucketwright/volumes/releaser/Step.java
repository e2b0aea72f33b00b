package io.bucketwright.volumes.releaser;

import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.api.model.PersistentVolume;
import io.fabric8.kubernetes.api.model.PersistentVolumeClaim;
import io.fabric8.kubernetes.api.model.Pod;

/** What can be done about a volume. */
sealed interface Step {

    /** Say what is wrong. */
    record Tell(PersistentVolume volume, Trouble trouble) implements Step {}

    /** Put our label on it, for the claim it is bound to. */
    record Associate(PersistentVolume volume) implements Step {}

    /** Take our label off: it was put there for another claim. */
    record Disassociate(PersistentVolume volume) implements Step {}

    /** Make it available, for everybody or for the same claim. */
    record Release(PersistentVolume volume, Mode mode) implements Step {}

    /** Keep it for the claim through which it is emptied, and write down that it must be. */
    record Reserve(PersistentVolume volume) implements Step {}

    /** Make the claim through which it is emptied. */
    record CreateClaim(PersistentVolumeClaim claim) implements Step {}

    /** Make the pod that empties it. */
    record CreatePod(Pod pod) implements Step {}

    /** Write down that it is empty. */
    record MarkScrubbed(PersistentVolume volume) implements Step {}

    /** Delete a helper that is not needed any more. */
    record Delete(HasMetadata helper) implements Step {}

    /** Delete a pod that could not empty the volume; another one follows, after a while. */
    record Replace(Pod pod, String why) implements Step {}
}
