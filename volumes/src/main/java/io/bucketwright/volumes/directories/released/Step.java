package io.bucketwright.volumes.directories.released;

import io.bucketwright.runtime.ObjectKey;
import io.bucketwright.volumes.directories.files.AssetName;
import io.bucketwright.volumes.directories.files.Marker;
import io.fabric8.kubernetes.api.model.PersistentVolume;
import java.nio.file.Path;

/** What can be done about a volume. */
sealed interface Step {

    /** Say why it is not removed. */
    record Tell(ObjectKey key, PersistentVolume volume, String message, boolean retry) implements Step {}

    /** Come back when the root is there. */
    record AwaitRoot(ObjectKey key, Path root) implements Step {}

    /** Look whether anything stands under its name. */
    record LookForNothing(ObjectKey key, PersistentVolume volume, Path root, AssetName name) implements Step {}

    /** Write down that the directory is to go, once it is seen to be there. */
    record MarkLeaving(ObjectKey key, PersistentVolume volume, Path root, Marker before, Marker after)
            implements Step {}

    /** Write down that the directory is kept without a volume. */
    record MarkRetained(ObjectKey key, PersistentVolume volume, Path root, Marker before) implements Step {}

    /** Remove or archive the directory, a slice at a time. */
    record Remove(ObjectKey key, PersistentVolume volume, Path root, Marker marker) implements Step {}

    /** Take our finalizer off. */
    record LetGo(ObjectKey key, PersistentVolume volume) implements Step {}

    record Delete(ObjectKey key, PersistentVolume volume) implements Step {}

    record RemoveMarker(ObjectKey key, PersistentVolume volume, Path root, Marker marker) implements Step {}
}
