package io.bucketwright.app.demo;

import io.bucketwright.app.Failure;
import java.io.IOException;
import java.nio.file.FileVisitResult;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.SimpleFileVisitor;
import java.nio.file.attribute.BasicFileAttributes;
import org.jspecify.annotations.Nullable;

/** A directory of the demo's own, gone with it. */
record Workplace(Path path) implements AutoCloseable {

    static Workplace make() {
        try {
            return new Workplace(Files.createTempDirectory("bucketwright-demo"));
        } catch (IOException e) {
            throw new Failure("No temporary directory can be made: " + e.getMessage(), e);
        }
    }

    Path directory(String name) {
        try {
            return Files.createDirectory(path.resolve(name));
        } catch (IOException e) {
            throw new Failure("The directory " + path.resolve(name) + " cannot be made: " + e.getMessage(), e);
        }
    }

    @Override
    public void close() {
        try {
            Files.walkFileTree(path, new Removal());
        } catch (IOException e) {
            throw new Failure("The temporary directory " + path + " could not be removed: " + e.getMessage(), e);
        }
    }

    /** Does not follow links: a walk does not, unless told to. */
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
