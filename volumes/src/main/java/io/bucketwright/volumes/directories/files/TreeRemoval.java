package io.bucketwright.volumes.directories.files;

import java.io.IOException;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import java.util.function.BooleanSupplier;

/** Deletes a tree in the trash, as long as a condition holds; another call continues. */
record TreeRemoval(DirectoryHandle trash, BooleanSupplier proceed) {

    private static final int BATCH = 512;

    /** Each level keeps a directory open. A deeper subtree is moved to the top of the trash and deleted from there. */
    private static final int MAX_DEPTH = 40;

    /** True once the tree, and all subtrees that were moved out of it, are deleted. */
    boolean remove(String name) throws IOException {
        if (!remove(trash, DirectoryHandle.bytes(name), name, 0)) {
            return false;
        }
        for (DirectoryEntry entry : trash.entries(Integer.MAX_VALUE)) {
            if (isSubtree(entry, name) && !remove(trash, entry.name(), name, 0)) {
                return false;
            }
        }
        // Deleting subtrees may have moved out more of them.
        return trash.entries(Integer.MAX_VALUE).stream().noneMatch(entry -> isSubtree(entry, name));
    }

    private boolean remove(DirectoryHandle parent, byte[] name, String tree, int depth) throws IOException {
        Optional<FileStatus> status = parent.status(name);
        if (status.isEmpty()) {
            return true;
        }
        if (!status.get().isDirectory()) {
            parent.unlink(name);
            return true;
        }
        if (depth == MAX_DEPTH) {
            parent.move(name, trash, DirectoryHandle.bytes(subtreePrefix(tree) + UUID.randomUUID()));
            return true;
        }
        try (DirectoryHandle directory = parent.open(name)) {
            if (!parent.status().mount().equals(directory.status().mount())) {
                throw SystemCallException.otherFileSystem("Removing " + Libc.printable(name));
            }
            if (!clear(directory, tree, depth)) {
                return false;
            }
        }
        parent.removeDirectory(name);
        return true;
    }

    private boolean clear(DirectoryHandle directory, String tree, int depth) throws IOException {
        while (true) {
            List<DirectoryEntry> entries = directory.entries(BATCH);
            if (entries.isEmpty()) {
                return true;
            }
            for (DirectoryEntry entry : entries) {
                if (!proceed.getAsBoolean()) {
                    return false;
                }
                if (!entry.directory()) {
                    unlinkOrRemove(directory, entry, tree, depth);
                } else if (!remove(directory, entry.name(), tree, depth + 1)) {
                    return false;
                }
            }
        }
    }

    private void unlinkOrRemove(DirectoryHandle directory, DirectoryEntry entry, String tree, int depth)
            throws IOException {
        try {
            directory.unlink(entry.name());
        } catch (SystemCallException e) {
            if (e.is(SystemCallException.ENOENT)) {
                return;
            }
            // Some file systems do not report the type of an entry in a listing.
            if (!e.is(SystemCallException.EISDIR, SystemCallException.EPERM)
                    || directory
                            .status(entry.name())
                            .filter(FileStatus::isDirectory)
                            .isEmpty()) {
                throw e;
            }
            remove(directory, entry.name(), tree, depth + 1);
        }
    }

    private static boolean isSubtree(DirectoryEntry entry, String tree) {
        return Libc.printable(entry.name()).startsWith(subtreePrefix(tree));
    }

    private static String subtreePrefix(String tree) {
        return tree + "~";
    }
}
