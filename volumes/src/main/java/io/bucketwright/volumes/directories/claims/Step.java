package io.bucketwright.volumes.directories.claims;

import io.bucketwright.runtime.ObjectKey;
import io.bucketwright.runtime.controller.Result;
import io.bucketwright.volumes.directories.files.Marker;
import io.bucketwright.volumes.directories.roots.Roots.Holding;
import io.fabric8.kubernetes.api.model.PersistentVolumeClaim;
import java.nio.file.Path;

/** What can be done about a claim. */
sealed interface Step {

    /** Tell the claim's owner why nothing is made. */
    record Tell(ObjectKey key, PersistentVolumeClaim claim, String storageClass, String message, Result then)
            implements Step {}

    /** Come back when the root is there. */
    record AwaitRoot(ObjectKey key, Path root) implements Step {}

    /** Write down what is going to be made, where nothing is. */
    record RecordIntent(ObjectKey key, Plan plan) implements Step {}

    /** Write down that the claim has changed its mind, or takes over what its predecessor left. */
    record ChangeIntent(ObjectKey key, Plan plan, Marker before) implements Step {}

    record Make(ObjectKey key, Plan plan) implements Step {}

    record Own(ObjectKey key, Plan plan) implements Step {}

    /** Have the file system enforce its size, if it can. */
    record LimitSize(ObjectKey key, Plan plan) implements Step {}

    /** Hand it out. */
    record Publish(ObjectKey key, Plan plan) implements Step {}

    /** The claim went before its volume was made: take back what is empty. */
    record Withdraw(ObjectKey key, Holding holding) implements Step {}

    /** The removal of a directory was decided on, and its volume is gone: finish it. */
    record FinishLeaving(ObjectKey key, Holding holding) implements Step {}
}
