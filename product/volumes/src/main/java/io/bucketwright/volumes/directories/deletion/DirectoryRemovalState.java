package io.bucketwright.volumes.directories.deletion;

/**
 * What this process did for one volume. If it is lost, idempotent steps are repeated.
 *
 * @param missing whether neither a marker nor a directory exists
 * @param nodeMissing whether the node of a local volume no longer exists
 * @param present whether the directory existed when the deletion of the volume began
 * @param removed whether the directory was deleted or archived
 * @param counted whether the deletion was counted in the metrics
 * @param reported the last message that was reported in an event
 * @param startNanos when the work on the volume started; 0 if it has not
 */
record DirectoryRemovalState(
        boolean missing,
        boolean nodeMissing,
        boolean present,
        boolean removed,
        boolean counted,
        String reported,
        long startNanos) {

    static final DirectoryRemovalState INITIAL = new DirectoryRemovalState(false, false, false, false, false, "", 0);

    DirectoryRemovalState started(long nanos) {
        return startNanos == 0
                ? new DirectoryRemovalState(missing, nodeMissing, present, removed, counted, reported, nanos)
                : this;
    }

    DirectoryRemovalState withMissing() {
        return new DirectoryRemovalState(true, nodeMissing, present, removed, counted, reported, startNanos);
    }

    DirectoryRemovalState withNodeMissing() {
        return new DirectoryRemovalState(missing, true, present, removed, counted, reported, startNanos);
    }

    DirectoryRemovalState withPresent() {
        return new DirectoryRemovalState(missing, nodeMissing, true, removed, counted, reported, startNanos);
    }

    DirectoryRemovalState withRemoved() {
        return new DirectoryRemovalState(missing, nodeMissing, present, true, counted, reported, startNanos);
    }

    DirectoryRemovalState withCounted() {
        return new DirectoryRemovalState(missing, nodeMissing, present, removed, true, reported, startNanos);
    }

    DirectoryRemovalState withReported(String message) {
        return new DirectoryRemovalState(missing, nodeMissing, present, removed, counted, message, startNanos);
    }
}
