package io.bucketwright.devtools.image;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.attribute.BasicFileAttributeView;
import java.nio.file.attribute.FileTime;
import java.time.Instant;
import java.util.Comparator;
import java.util.List;
import java.util.stream.Stream;

/** Copies, deletes and dates trees of files; links stay links. */
final class FileTree {

    private FileTree() {}

    static void copy(Path from, Path to) throws IOException {
        for (Path source : walk(from)) {
            Path target = to.resolve(from.relativize(source));
            if (Files.isDirectory(source, LinkOption.NOFOLLOW_LINKS)) {
                Files.createDirectories(target);
            } else {
                Files.copy(source, target, LinkOption.NOFOLLOW_LINKS, StandardCopyOption.COPY_ATTRIBUTES);
            }
        }
    }

    static void delete(Path tree) throws IOException {
        if (Files.exists(tree, LinkOption.NOFOLLOW_LINKS)) {
            for (Path path :
                    walk(tree).stream().sorted(Comparator.reverseOrder()).toList()) {
                Files.delete(path);
            }
        }
    }

    /** Sets the time of all files: the JVM compares those of jars with what it recorded in the AOT cache. */
    static void date(Path tree, Instant time) throws IOException {
        FileTime value = FileTime.from(time);
        for (Path path : walk(tree)) {
            Files.getFileAttributeView(path, BasicFileAttributeView.class, LinkOption.NOFOLLOW_LINKS)
                    .setTimes(value, null, null);
        }
    }

    private static List<Path> walk(Path tree) throws IOException {
        try (Stream<Path> paths = Files.walk(tree)) {
            return paths.sorted().toList();
        }
    }
}
