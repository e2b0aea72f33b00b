package io.bucketwright.volumes.directories;

import io.bucketwright.runtime.ObjectKey;
import io.bucketwright.runtime.controller.Problem;
import io.bucketwright.runtime.controller.Result;
import io.bucketwright.volumes.directories.files.Marker;
import io.fabric8.kubernetes.api.model.PersistentVolume;
import io.fabric8.kubernetes.api.model.PersistentVolumeClaim;
import java.nio.file.Path;

/** The next step for a claim. */
sealed interface DirectoryClaimStep {

    /** Report in an event why the claim is not provisioned. */
    record ReportProblem(PersistentVolumeClaim claim, Problem problem) implements DirectoryClaimStep {}

    /** Wait until the root is open. */
    record AwaitRoot(PersistentVolumeClaim claim, Path root) implements DirectoryClaimStep {}

    /** Wait until the process on the selected node has created the volume. */
    record AwaitNodeProcess(PersistentVolumeClaim claim) implements DirectoryClaimStep {}

    /** Wait until other directories are removed and the root's budget has room. */
    record AwaitRoom(DirectoryRequest request) implements DirectoryClaimStep {}

    /** Write the marker; it records the intent before anything is created. */
    record CreateMarker(DirectoryRequest request) implements DirectoryClaimStep {}

    /** Replace the marker, because the claim changed or reuses the directory of an earlier claim. */
    record ReplaceMarker(DirectoryRequest request, Marker before) implements DirectoryClaimStep {}

    record CreateDirectory(DirectoryRequest request) implements DirectoryClaimStep {}

    record SetOwner(DirectoryRequest request) implements DirectoryClaimStep {}

    record SetQuota(DirectoryRequest request) implements DirectoryClaimStep {}

    record CreateVolume(DirectoryRequest request) implements DirectoryClaimStep {}

    /** The volume was bound to another claim than before: set owner and mode of its directory again. */
    record RestoreOwner(PersistentVolumeClaim claim, Path root, Marker before, Marker after)
            implements DirectoryClaimStep {}

    /** Record in the volume that owner and mode were set for this claim. */
    record RecordBinding(PersistentVolumeClaim claim, PersistentVolume volume) implements DirectoryClaimStep {}

    /** Read from the API server whether a volume of the marker's name exists: its directory is to be removed with its content. */
    record ConfirmUnused(ObjectKey key, Marker marker) implements DirectoryClaimStep {}

    /**
     * The claim was deleted or rejected before its volume was created: remove the marker and the empty directory.
     *
     * @param ifNotEmpty how reconciling ends if the directory is kept, because it is not empty
     */
    record RemoveUnused(MarkerLocation location, Result ifNotEmpty) implements DirectoryClaimStep {}

    /**
     * The volume was deleted while its directory was being deleted: complete the deletion.
     *
     * @param confirmed whether the API server has no volume of that name; otherwise a directory that still exists is kept
     */
    record CompleteDeletion(MarkerLocation location, boolean confirmed) implements DirectoryClaimStep {}
}
