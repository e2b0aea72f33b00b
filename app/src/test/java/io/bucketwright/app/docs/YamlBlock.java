package io.bucketwright.app.docs;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;

/**
 * YAML that users copy: a block of a page, or a file in examples/. A block is a fragment, and cannot be applied, if the line
 * before it says so: {@code <!-- fragment -->}. In a file the first line is {@code # fragment} and what it is a part of.
 *
 * @param file relative to the root of the clone
 * @param line its first line
 */
record YamlBlock(Path file, int line, String text, boolean fragment) {

    private static final Path ROOT = Path.of("..");

    /** Of the pages for users, and all files in examples/. */
    static List<YamlBlock> all() throws IOException {
        List<YamlBlock> blocks = new ArrayList<>();
        try (Stream<Path> pages = Files.list(ROOT.resolve("docs"));
                Stream<Path> reference = Files.list(ROOT.resolve("docs/reference"));
                Stream<Path> examples = Files.walk(ROOT.resolve("examples"))) {
            Stream<Path> files = Stream.of(Stream.of(ROOT.resolve("README.md")), pages, reference, examples)
                    .flatMap(each -> each);
            for (Path file : files.filter(YamlBlock::mayHaveYaml).sorted().toList()) {
                blocks.addAll(in(ROOT.relativize(file), Files.readString(file)));
            }
        }
        return blocks;
    }

    /** Others may not be text, such as the classes of a built example. */
    private static boolean mayHaveYaml(Path file) {
        String name = file.toString();
        return Files.isRegularFile(file) && (name.endsWith(".yaml") || name.endsWith(".md"));
    }

    /** The blocks of a page, or the one of a YAML file. */
    static List<YamlBlock> in(Path file, String text) {
        String name = file.toString();
        if (name.endsWith(".yaml") && !name.contains("/target/")) {
            return List.of(new YamlBlock(file, 1, text, text.startsWith("# fragment")));
        }
        return name.endsWith(".md") ? blocks(file, text.lines().toList()) : List.of();
    }

    private static List<YamlBlock> blocks(Path file, List<String> lines) {
        List<YamlBlock> blocks = new ArrayList<>();
        String before = "";
        for (int i = 0; i < lines.size(); i++) {
            String line = lines.get(i);
            int indent = line.indexOf("```yaml");
            if (line.strip().equals("```yaml")) {
                StringBuilder text = new StringBuilder();
                int first = i + 2;
                for (i++; i < lines.size() && !lines.get(i).strip().equals("```"); i++) {
                    String content = lines.get(i);
                    text.append(content.substring(Math.min(indent, content.length())))
                            .append('\n');
                }
                blocks.add(new YamlBlock(file, first, text.toString(), before.contains("<!-- fragment -->")));
            }
            before = line;
        }
        return blocks;
    }

    @Override
    public String toString() {
        return file + ":" + line;
    }
}
