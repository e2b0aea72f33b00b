package io.bucketwright.app.docs;

import static org.assertj.core.api.Assertions.assertThat;

import io.bucketwright.app.SourceTree;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * The names that a source file defines, each with the Javadoc comment before it: enum constants with a text, and constants
 * that are strings.
 */
final class DocumentedConstants {

    private static final Pattern CONSTANT = Pattern.compile(
            "(?m)^    (?:[A-Z][A-Z0-9_]*\\(|(?:public )?static final String [A-Z][A-Z0-9_]* = )\"([A-Za-z]+)\"");

    private static final Pattern COMMENT = Pattern.compile("(?s)/\\*\\*((?:(?!\\*/).)*)\\*/\\s*$");

    private DocumentedConstants() {}

    /**
     * Reads them, in the order of the file.
     *
     * @param file in the clone, without {@code src/main/java/io/bucketwright/}: {@code api/api/Phase}
     * @return sentences by name
     */
    static Map<String, String> of(String file) {
        int slash = file.indexOf('/');
        Path path = Path.of("..", file.substring(0, slash), "src/main/java/io/bucketwright")
                .resolve(file.substring(slash + 1) + ".java");
        String source = SourceTree.read(path);
        Map<String, String> constants = new LinkedHashMap<>();
        Matcher constant = CONSTANT.matcher(source);
        while (constant.find()) {
            Matcher comment = COMMENT.matcher(source.substring(0, constant.start()));
            assertThat(comment.find())
                    .as("%s: %s has a comment that says what it means", path, constant.group(1))
                    .isTrue();
            constants.put(constant.group(1), text(comment.group(1)));
        }
        assertThat(constants).as("names in %s", path).isNotEmpty();
        return constants;
    }

    /** Rows of a table. */
    static String table(String title, String file) {
        return GeneratedPage.table(
                List.of(title, "meaning"),
                of(file).entrySet().stream().map(entry -> List.of("`" + entry.getKey() + "`", entry.getValue())));
    }

    private static String text(String comment) {
        return comment.replaceAll("(?m)^\\s*\\* ?", " ")
                .replaceAll("\\{@(?:code|link) ([^}]*)}", "`$1`")
                .replaceAll("\\s+", " ")
                .strip();
    }
}
