package io.bucketwright.volumes.directories.files;

import io.bucketwright.volumes.directories.files.DirectoryTree.Measure;
import java.io.IOException;
import java.util.Optional;
import java.util.function.BooleanSupplier;

/** Adds up what a tree takes up on its file system, as long as it is allowed to. */
final class TreeMeasurement {

    private static final int DEEPEST = 40;

    private final BooleanSupplier goOn;
    private long bytes;
    private boolean whole = true;

    TreeMeasurement(BooleanSupplier goOn) {
        this.goOn = goOn;
    }

    Measure of(Dir directory) throws IOException {
        add(directory, 0);
        return new Measure(bytes, whole);
    }

    private void add(Dir directory, int depth) throws IOException {
        bytes += directory.status().bytes();
        for (Entry entry : directory.entries(Integer.MAX_VALUE)) {
            if (!goOn.getAsBoolean()) {
                whole = false;
                return;
            }
            Optional<Status> status = directory.status(entry.name());
            if (status.isEmpty()) {
                continue;
            }
            if (!status.get().isDirectory()) {
                bytes += status.get().bytes();
            } else if (depth == DEEPEST
                    || !status.get().mount().equals(directory.status().mount())) {
                whole = false;
            } else {
                descend(directory, entry, depth);
            }
        }
    }

    private void descend(Dir directory, Entry entry, int depth) throws IOException {
        try (Dir child = directory.open(entry.name())) {
            add(child, depth + 1);
        } catch (FileProblem e) {
            // Its tenant is free to change it meanwhile.
            if (!e.is(FileProblem.ENOENT) && !e.is(FileProblem.ELOOP) && !e.is(FileProblem.ENOTDIR)) {
                throw e;
            }
        }
    }
}
