package io.bucketwright.app.docs;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;

/** The Markdown files of the repository. */
final class MarkdownPages {

    static final Path ROOT = Path.of("../..").toAbsolutePath().normalize();

    private MarkdownPages() {}

    /** Not those in the folders of builds. */
    static List<Path> all() throws IOException {
        List<Path> pages = new ArrayList<>();
        try (Stream<Path> top = Files.list(ROOT)) {
            for (Path file : top.filter(file -> !file.getFileName().toString().startsWith("."))
                    .sorted()
                    .toList()) {
                if (Files.isDirectory(file) && !file.endsWith("target")) {
                    addPages(pages, file);
                } else if (file.toString().endsWith(".md")) {
                    pages.add(file);
                }
            }
        }
        return pages;
    }

    private static void addPages(List<Path> pages, Path folder) throws IOException {
        try (Stream<Path> children = Files.list(folder)) {
            for (Path file : children.sorted().toList()) {
                if (Files.isDirectory(file)) {
                    if (!file.endsWith("target") && !Files.isSymbolicLink(file)) {
                        addPages(pages, file);
                    }
                } else if (file.toString().endsWith(".md")) {
                    pages.add(file);
                }
            }
        }
    }
}
