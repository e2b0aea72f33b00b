package io.bucketwright.volumes.directories.files;

import java.io.IOException;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import java.util.function.BooleanSupplier;

/**
 * Deletes a tree in the trash, as long as a condition holds; another call continues. Asks for every entry, also for empty
 * directories, and reads no directory as a whole.
 */
record TreeRemoval(DirectoryHandle trash, BooleanSupplier proceed) {

    private static final int BATCH = 256;

    /** Each level keeps a directory open. A deeper subtree is moved to the top of its tree and deleted from there. */
    private static final int MAX_DEPTH = 40;

    /** True once the tree is deleted. */
    boolean remove(String name) throws IOException {
        byte[] bytes = DirectoryHandle.bytes(name);
        Optional<FileStatus> status = trash.status(bytes);
        if (status.isEmpty()) {
            return true;
        }
        if (!status.get().isDirectory()) {
            trash.unlink(bytes);
            return true;
        }
        try (DirectoryHandle top = open(trash, bytes)) {
            if (!clear(top, top, 1)) {
                return false;
            }
        }
        trash.removeDirectory(bytes);
        return true;
    }

    private boolean clear(DirectoryHandle top, DirectoryHandle directory, int depth) throws IOException {
        while (true) {
            List<DirectoryListing.Entry> entries = directory.entries(BATCH);
            if (entries.isEmpty()) {
                return true;
            }
            for (DirectoryListing.Entry entry : entries) {
                if (!proceed.getAsBoolean()) {
                    return false;
                }
                boolean isDirectory = entry.directory() || !unlink(directory, entry.name());
                if (isDirectory && !removeDirectory(top, directory, entry.name(), depth)) {
                    return false;
                }
            }
        }
    }

    private boolean removeDirectory(DirectoryHandle top, DirectoryHandle parent, byte[] name, int depth)
            throws IOException {
        if (depth == MAX_DEPTH) {
            parent.move(name, top, DirectoryHandle.bytes("deep-" + UUID.randomUUID()));
            return true;
        }
        // A pod that still has the directory open may remove it, or put something else in its place.
        Optional<FileStatus> status = parent.status(name);
        if (status.filter(FileStatus::isDirectory).isEmpty()) {
            return status.isEmpty() || unlink(parent, name);
        }
        try (DirectoryHandle directory = open(parent, name)) {
            if (!clear(top, directory, depth + 1)) {
                return false;
            }
        }
        parent.removeDirectory(name);
        return true;
    }

    private static DirectoryHandle open(DirectoryHandle parent, byte[] name) throws IOException {
        DirectoryHandle directory = parent.open(name);
        if (parent.status().mount().equals(directory.status().mount())) {
            return directory;
        }
        directory.close();
        throw SystemCallException.otherFileSystem("Removing " + Libc.printable(name));
    }

    /** Removes a file; false if it is a directory. Some file systems do not report the type of an entry in a listing. */
    private static boolean unlink(DirectoryHandle directory, byte[] name) throws IOException {
        try {
            directory.unlink(name);
            return true;
        } catch (SystemCallException e) {
            if (e.is(SystemCallException.ENOENT)) {
                return true;
            }
            if (e.is(SystemCallException.EISDIR, SystemCallException.EPERM)
                    && directory.status(name).filter(FileStatus::isDirectory).isPresent()) {
                return false;
            }
            throw e;
        }
    }
}
