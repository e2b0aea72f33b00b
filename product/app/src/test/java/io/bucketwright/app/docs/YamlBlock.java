package io.bucketwright.app.docs;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/**
 * YAML that users copy: a block of a page or of the chart's notes, or a file in examples/. A block is fenced, or indented and
 * begins with an API version. It is a fragment, and cannot be applied, if the line before it says so:
 * {@code <!-- fragment -->}. In a file the first line is {@code # fragment} and what it is a part of.
 *
 * @param file relative to the root of the clone
 * @param line its first line
 */
record YamlBlock(Path file, int line, String text, boolean fragment) {

    private static final Path ROOT = Path.of("../..");
    private static final String INDENT = "    ";
    private static final Pattern INDENTED = Pattern.compile(INDENT + " *apiVersion: ");

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
            boolean fenced = lines.get(i).strip().equals("```yaml");
            if (fenced || INDENTED.matcher(lines.get(i)).lookingAt()) {
                int first = fenced ? i + 1 : i;
                int indent = lines.get(i).length() - lines.get(i).stripLeading().length();
                StringBuilder text = new StringBuilder();
                for (i = first; i < lines.size() && !isOver(lines.get(i), fenced); i++) {
                    String content = lines.get(i);
                    text.append(content.substring(Math.min(indent, content.length())))
                            .append('\n');
                }
                blocks.add(new YamlBlock(file, first + 1, text.toString(), before.contains("<!-- fragment -->")));
            }
            before = i < lines.size() ? lines.get(i) : "";
        }
        return blocks;
    }

    /** An indented block ends before the text, or where the here document of a command ends. */
    private static boolean isOver(String line, boolean fenced) {
        return fenced
                ? line.strip().equals("```")
                : !line.startsWith(INDENT) || line.strip().equals("EOF");
    }

    @Override
    public String toString() {
        return file + ":" + line;
    }
}
