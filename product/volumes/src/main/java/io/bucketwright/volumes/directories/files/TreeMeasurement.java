package io.bucketwright.volumes.directories.files;

import static java.nio.charset.StandardCharsets.ISO_8859_1;

import java.io.IOException;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.Optional;
import java.util.function.BooleanSupplier;

/**
 * Adds up the disk space of a tree as long as a condition holds; another call continues. Needs one buffer for each level of
 * the tree. Does not enter other mounted file systems, and not what is deeper than {@link #MAX_DEPTH}.
 */
final class TreeMeasurement {

    /** Each level keeps two files open. */
    private static final int MAX_DEPTH = 100;

    private final BooleanSupplier proceed;
    private final Deque<Level> levels = new ArrayDeque<>();
    private long bytes;

    /** A directory that is being read. */
    private record Level(String name, DirectoryHandle directory, String mount, DirectoryListing listing)
            implements AutoCloseable {

        /** Takes over the handle. */
        static Level open(String name, DirectoryHandle directory) throws SystemCallException {
            try {
                return new Level(name, directory, directory.status().mount(), directory.list());
            } catch (SystemCallException e) {
                directory.close();
                throw e;
            }
        }

        @Override
        public void close() {
            listing.close();
            directory.close();
        }
    }

    TreeMeasurement(BooleanSupplier proceed) {
        this.proceed = proceed;
    }

    /** Measures the tree, or continues; closes the handle. */
    Measurement measure(DirectoryHandle top, Measurement from) throws IOException {
        try {
            bytes = from.bytes();
            levels.push(Level.open("", top));
            if (from.position().isEmpty()) {
                bytes += top.status().bytes();
            } else {
                resume(from.position());
            }
            return run();
        } finally {
            levels.forEach(Level::close);
        }
    }

    /** Pods may have removed directories meanwhile; then the measurement continues in the one above. */
    private void resume(List<Measurement.Position> position) throws IOException {
        levels.element().listing().seek(position.getFirst().offset());
        for (Measurement.Position next : position.subList(1, position.size())) {
            if (!enter(next.name())) {
                return;
            }
            levels.element().listing().seek(next.offset());
        }
    }

    private Measurement run() throws IOException {
        while (!levels.isEmpty()) {
            if (!proceed.getAsBoolean()) {
                List<Measurement.Position> position = new ArrayList<>();
                levels.descendingIterator()
                        .forEachRemaining(level -> position.add(new Measurement.Position(
                                level.name(), level.listing().offset())));
                return new Measurement(bytes, false, position);
            }
            Optional<DirectoryListing.Entry> entry = levels.element().listing().next();
            if (entry.isPresent()) {
                add(levels.element(), entry.get());
            } else {
                levels.pop().close();
            }
        }
        return new Measurement(bytes, true, List.of());
    }

    private void add(Level level, DirectoryListing.Entry entry) throws IOException {
        Optional<FileStatus> status = level.directory().status(entry.name());
        if (status.isEmpty()) {
            return;
        }
        boolean directory = status.get().isDirectory();
        boolean entered = directory
                && levels.size() <= MAX_DEPTH
                && status.get().mount().equals(level.mount())
                && enter(new String(entry.name(), ISO_8859_1));
        if (entered || !directory) {
            bytes += status.get().bytes();
        }
    }

    private boolean enter(String name) throws IOException {
        try {
            DirectoryHandle child = levels.element().directory().open(name.getBytes(ISO_8859_1));
            levels.push(Level.open(name, child));
            return true;
        } catch (SystemCallException e) {
            // Pods may change the tree while it is read.
            if (e.is(SystemCallException.ENOENT, SystemCallException.ELOOP, SystemCallException.ENOTDIR)) {
                return false;
            }
            throw e;
        }
    }
}
