package io.bucketwright.house;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.MatchResult;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/** The rules of testing.md with their tests, and {@code house/broken-rules.txt}: how each of them is broken. */
final class Mutations {

    static final String FILE = "house/broken-rules.txt";
    private static final String PAGE = "docs/contributing/testing.md";

    private static final Pattern ROW = Pattern.compile("\\| (?!Rule \\|)(.+) \\| (`.+`) \\|");
    private static final Pattern NAME = Pattern.compile("`([^`]+)`");
    private static final Pattern HEAD = Pattern.compile("(\\w+(?:\\.\\w+)?)(?: run (\\w+))?");

    /**
     * One test that guards a rule. A test of two rules has a number, in the order of the tables.
     *
     * @param test a class, or class and method
     */
    record Guard(String test, int number, String rule) {

        String key() {
            return test + "#" + number;
        }
    }

    /** Text that occurs once in a file, and what breaks the rule in its place. */
    record Edit(String file, String before, String after) {

        /** The file's text with the change. */
        String apply(String text) {
            int found = occurrences(text);
            if (found != 1) {
                throw new IllegalStateException("%s has this text %d times instead of once; update %s:%n%s"
                        .formatted(file, found, FILE, before.indent(4)));
            }
            return text.replace(before, after);
        }

        private int occurrences(String text) {
            int found = 0;
            for (int at = text.indexOf(before); at >= 0; at = text.indexOf(before, at + 1)) {
                found++;
            }
            return found;
        }
    }

    /**
     * How a rule is broken.
     *
     * @param runner the class that runs the test: its own, or one that implements the contract
     */
    record Mutation(Guard guard, String runner, List<Edit> edits) {

        /** The broken files, by their paths. */
        Map<String, String> broken(Path root) {
            Map<String, String> texts = new LinkedHashMap<>();
            for (Edit edit : edits) {
                String text = texts.containsKey(edit.file())
                        ? texts.get(edit.file())
                        : Sources.text(root.resolve(edit.file()));
                texts.put(edit.file(), edit.apply(text));
            }
            return texts;
        }

        boolean needsCluster() {
            return runner.endsWith("IT");
        }
    }

    private Mutations() {}

    /** The tests in the tables of testing.md, in their order. */
    static List<Guard> guards(Path root) {
        Map<String, Integer> counts = new HashMap<>();
        return Sources.text(root.resolve(PAGE))
                .lines()
                .dropWhile(line -> !line.equals("## Rules and the tests that guard them"))
                .takeWhile(line -> !line.equals("## Tests by scenario"))
                .map(ROW::matcher)
                .filter(Matcher::matches)
                .flatMap(row -> NAME.matcher(row.group(2))
                        .results()
                        .map(name ->
                                new Guard(name.group(1), counts.merge(name.group(1), 1, Integer::sum), row.group(1))))
                .toList();
    }

    /** What {@code house/broken-rules.txt} has, by {@link Guard#key}. */
    static Map<String, Mutation> read(Path root) {
        Map<String, String> rules = guards(root).stream().collect(Collectors.toMap(Guard::key, Guard::rule));
        return parse(Files.exists(root.resolve(FILE)) ? Sources.text(root.resolve(FILE)) : "", rules);
    }

    static Map<String, Mutation> parse(String text, Map<String, String> rules) {
        Map<String, Integer> counts = new HashMap<>();
        Map<String, Mutation> found = new LinkedHashMap<>();
        for (String block : text.split("\n\\s*\n", -1)) {
            List<String> lines =
                    block.lines().filter(line -> !line.startsWith("#")).toList();
            if (lines.stream().allMatch(String::isBlank)) {
                continue;
            }
            MatchResult head = head(lines.getFirst());
            String test = head.group(1);
            int number = counts.merge(test, 1, Integer::sum);
            String runner = head.group(2) == null ? test.replaceFirst("\\..*", "") : head.group(2);
            Guard key = new Guard(test, number, "");
            Guard guard =
                    new Guard(test, number, rules.getOrDefault(key.key(), "a rule that testing.md does not have"));
            found.put(guard.key(), new Mutation(guard, runner, edits(test, lines.subList(1, lines.size()))));
        }
        return found;
    }

    private static MatchResult head(String line) {
        Matcher head = HEAD.matcher(line);
        if (!head.matches()) {
            throw new IllegalStateException(FILE + ": not a test: " + line);
        }
        return head.toMatchResult();
    }

    /** Lines begin with @ (a file), - (text before) or + (text after). */
    private static List<Edit> edits(String test, List<String> lines) {
        List<Edit> edits = new ArrayList<>();
        String file = "";
        for (int at = 0; at < lines.size(); ) {
            if (lines.get(at).startsWith("@ ")) {
                file = lines.get(at++).substring(2);
            }
            List<String> before = beginning("-", lines.subList(at, lines.size()));
            at += before.size();
            List<String> after = beginning("+", lines.subList(at, lines.size()));
            at += after.size();
            if (file.isEmpty() || before.isEmpty()) {
                throw new IllegalStateException(FILE + ": " + test + " needs a file (@) and a text before (-)");
            }
            edits.add(new Edit(file, String.join("\n", before), String.join("\n", after)));
        }
        return edits;
    }

    private static List<String> beginning(String sign, List<String> lines) {
        return lines.stream()
                .takeWhile(line -> line.startsWith(sign))
                .map(line -> line.substring(1))
                .toList();
    }
}
