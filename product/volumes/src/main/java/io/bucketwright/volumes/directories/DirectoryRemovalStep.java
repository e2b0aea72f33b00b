package io.bucketwright.volumes.directories;

import io.bucketwright.runtime.controller.Problem;
import io.bucketwright.volumes.directories.files.Marker;
import io.fabric8.kubernetes.api.model.PersistentVolume;

/** The next step for a volume. */
sealed interface DirectoryRemovalStep {

    PersistentVolume volume();

    /** Report in an event why the directory is not removed. */
    record ReportProblem(PersistentVolume volume, Problem problem) implements DirectoryRemovalStep {}

    /** Wait until the root is open. */
    record AwaitRoot(PersistentVolume volume) implements DirectoryRemovalStep {}

    /** Check whether the node of a local volume, which another process serves, still exists. */
    record CheckNode(PersistentVolume volume, String node) implements DirectoryRemovalStep {}

    /** Report that the volume is deleted without its directory, because its disk or node is lost. */
    record ReportAbandoned(PersistentVolume volume, String message) implements DirectoryRemovalStep {}

    /** Check that the directory of a volume without a marker does not exist. */
    record CheckMissing(PersistentVolume volume) implements DirectoryRemovalStep {}

    /** Check that the directory exists before the deletion of its volume begins. */
    record CheckDirectory(PersistentVolume volume) implements DirectoryRemovalStep {}

    /** Record in the marker that the directory is being deleted. */
    record MarkDeleting(PersistentVolume volume, Marker before, Marker after) implements DirectoryRemovalStep {}

    /** Record in the marker that the directory is kept without a volume. */
    record MarkRetained(PersistentVolume volume, Marker before) implements DirectoryRemovalStep {}

    /** Delete or archive the directory, in slices. */
    record RemoveDirectory(PersistentVolume volume, Marker marker) implements DirectoryRemovalStep {}

    record RemoveFinalizer(PersistentVolume volume) implements DirectoryRemovalStep {}

    record DeleteVolume(PersistentVolume volume) implements DirectoryRemovalStep {}

    record RemoveMarker(PersistentVolume volume, Marker marker) implements DirectoryRemovalStep {}
}
