package io.bucketwright.volumes.directories.files;

import java.io.IOException;
import java.util.Optional;
import java.util.function.BooleanSupplier;

/** Adds up the disk space of a tree as long as a condition holds. Does not enter other mounted file systems. */
record TreeMeasurement(BooleanSupplier proceed) {

    private static final int MAX_DEPTH = 40;

    long of(DirectoryHandle directory) throws IOException {
        return measure(directory, 0);
    }

    private long measure(DirectoryHandle directory, int depth) throws IOException {
        FileStatus own = directory.status();
        long bytes = own.bytes();
        for (DirectoryEntry entry : directory.entries(Integer.MAX_VALUE)) {
            if (!proceed.getAsBoolean()) {
                return bytes;
            }
            Optional<FileStatus> status = directory.status(entry.name());
            if (status.isEmpty()) {
                continue;
            }
            if (!status.get().isDirectory()) {
                bytes += status.get().bytes();
            } else if (depth < MAX_DEPTH && status.get().mount().equals(own.mount())) {
                bytes += child(directory, entry, depth);
            }
        }
        return bytes;
    }

    private long child(DirectoryHandle directory, DirectoryEntry entry, int depth) throws IOException {
        try (DirectoryHandle child = directory.open(entry.name())) {
            return measure(child, depth + 1);
        } catch (SystemCallException e) {
            // Pods may change the tree while it is read.
            if (e.is(SystemCallException.ENOENT, SystemCallException.ELOOP, SystemCallException.ENOTDIR)) {
                return 0;
            }
            throw e;
        }
    }
}
