package io.bucketwright.app.demo;

import io.bucketwright.app.command.CommandException;
import java.io.IOException;
import java.nio.file.FileVisitResult;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.SimpleFileVisitor;
import java.nio.file.attribute.BasicFileAttributes;
import org.jspecify.annotations.Nullable;

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
            Files.walkFileTree(path, new Removal());
        } catch (IOException e) {
            throw new CommandException("Cannot delete the temporary directory " + path + ": " + e.getMessage(), e);
        }
    }

    /** Does not follow symbolic links, which is the default of a walk. */
    private static final class Removal extends SimpleFileVisitor<Path> {

        @Override
        public FileVisitResult visitFile(Path file, BasicFileAttributes attributes) throws IOException {
            Files.delete(file);
            return FileVisitResult.CONTINUE;
        }

        @Override
        public FileVisitResult postVisitDirectory(Path directory, @Nullable IOException failed) throws IOException {
            if (failed != null) {
                throw failed;
            }
            Files.delete(directory);
            return FileVisitResult.CONTINUE;
        }
    }
}
