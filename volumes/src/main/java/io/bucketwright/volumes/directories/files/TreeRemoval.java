package io.bucketwright.volumes.directories.files;

import java.io.IOException;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import java.util.function.BooleanSupplier;

/** Removes a tree, as much of it as it is allowed to at a time. What it leaves is the tree with less in it. */
final class TreeRemoval {

    private static final int BATCH = 512;

    /** Each level holds a directory open; whoever built a deeper tree finds it cut into shorter ones. */
    private static final int DEEPEST = 40;

    private final Dir trash;
    private final BooleanSupplier goOn;

    TreeRemoval(Dir trash, BooleanSupplier goOn) {
        this.trash = trash;
        this.goOn = goOn;
    }

    /** True once the entry of that name, and what was cut out of it, is gone. */
    boolean remove(String name) throws IOException {
        if (!remove(trash, Dir.bytes(name), name, 0)) {
            return false;
        }
        for (Entry entry : trash.entries(Integer.MAX_VALUE)) {
            if (Libc.printable(entry.name()).startsWith(cutFrom(name)) && !remove(trash, entry.name(), name, 0)) {
                return false;
            }
        }
        // A second look: taking the cut ones apart may have cut out more.
        return trash.entries(Integer.MAX_VALUE).stream()
                .noneMatch(entry -> Libc.printable(entry.name()).startsWith(cutFrom(name)));
    }

    private boolean remove(Dir parent, byte[] name, String tree, int depth) throws IOException {
        Optional<Status> status = parent.status(name);
        if (status.isEmpty()) {
            return true;
        }
        if (!status.get().isDirectory()) {
            parent.unlink(name);
            return true;
        }
        if (depth == DEEPEST) {
            parent.move(name, trash, Dir.bytes(cutFrom(tree) + UUID.randomUUID()));
            return true;
        }
        try (Dir directory = parent.open(name)) {
            if (!parent.status().mount().equals(directory.status().mount())) {
                throw new FileProblem(
                        "A file system is mounted in what is to be removed, at " + Libc.printable(name)
                                + "; unmount it",
                        FileProblem.EBUSY);
            }
            if (!clear(directory, tree, depth)) {
                return false;
            }
        }
        parent.removeDirectory(name);
        return true;
    }

    private boolean clear(Dir directory, String tree, int depth) throws IOException {
        while (true) {
            List<Entry> entries = directory.entries(BATCH);
            if (entries.isEmpty()) {
                return true;
            }
            for (Entry entry : entries) {
                if (!goOn.getAsBoolean()) {
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

    private void unlinkOrRemove(Dir directory, Entry entry, String tree, int depth) throws IOException {
        try {
            directory.unlink(entry.name());
        } catch (FileProblem e) {
            if (e.is(FileProblem.ENOENT)) {
                return;
            }
            // Some file systems do not tell in a listing what is a directory.
            if (!e.is(FileProblem.EISDIR) && !e.is(FileProblem.EPERM)) {
                throw e;
            }
            if (directory.status(entry.name()).filter(Status::isDirectory).isEmpty()) {
                throw e;
            }
            remove(directory, entry.name(), tree, depth + 1);
        }
    }

    private static String cutFrom(String tree) {
        return tree + "~";
    }
}
