package io.bucketwright.app.demo;

import io.bucketwright.app.command.CommandException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.List;
import java.util.stream.Stream;

/** A temporary directory that is deleted when it is closed. */
record TemporaryDirectory(Path path) implements AutoCloseable {

    static TemporaryDirectory create() {
        try {
            return new TemporaryDirectory(Files.createTempDirectory("bucketwright-demo"));
        } catch (IOException e) {
            throw new CommandException("Cannot create a temporary directory: " + e.getMessage(), e);
        }
    }

    Path directory(String name) {
        try {
            return Files.createDirectory(path.resolve(name));
        } catch (IOException e) {
            throw new CommandException("Cannot create the directory " + path.resolve(name) + ": " + e.getMessage(), e);
        }
    }

    @Override
    public void close() {
        try {
            for (Path each : content()) {
                Files.delete(each);
            }
        } catch (IOException e) {
            throw new CommandException("Cannot delete the temporary directory " + path + ": " + e.getMessage(), e);
        }
    }

    /** Children before their directory. A walk does not follow symbolic links. */
    private List<Path> content() throws IOException {
        try (Stream<Path> all = Files.walk(path)) {
            return all.sorted(Comparator.reverseOrder()).toList();
        }
    }
}
