package io.bucketwright.app.docs;

import static org.assertj.core.api.Assertions.assertThat;

import io.bucketwright.app.SourceTree;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * A page in docs/reference with sections that are generated from the code. A section is between the lines
 * {@code <!-- begin generated NAME -->} and {@code <!-- end generated NAME -->}; the text around it is written by hand. The
 * test class of a page has a name that ends with {@code PageTest}, so that one command renews all pages.
 *
 * @param path of the page
 * @param command renews it
 */
public record GeneratedPage(Path path, String command) {

    /** The columns of prose. */
    static final int WIDTH = 120;

    private static final Pattern WORD = Pattern.compile("(`[^`]+`|\\S)+");

    private static final String UPDATE = "bucketwright.docs.update";

    private static final String COMMAND = "./mvnw -pl dev/devtools -am test -Dtest='*PageTest'"
            + " -Dsurefire.failIfNoSpecifiedTests=false -D" + UPDATE;

    /** A page of docs/reference. */
    public static GeneratedPage of(String file) {
        return new GeneratedPage(folder().resolve(file));
    }

    public GeneratedPage(Path path) {
        this(path, COMMAND);
    }

    /**
     * A page that needs a cluster.
     *
     * @param test the class that has the page
     */
    public static GeneratedPage ofClusterTest(String file, String test) {
        return new GeneratedPage(
                folder().resolve(file),
                "./mvnw -pl product/app -am verify -Dit.test=" + test + " -Dtest=none"
                        + " -Dsurefire.failIfNoSpecifiedTests=false -Dfailsafe.failIfNoSpecifiedTests=false -D"
                        + UPDATE);
    }

    private static Path folder() {
        return Path.of("../../docs/reference");
    }

    /**
     * Asserts that the page has this section; writes it if the system property for that is set.
     *
     * @param markdown whole lines
     */
    public void assertSection(String name, String markdown) {
        assertSection(name, markdown, Boolean.getBoolean(UPDATE));
    }

    void assertSection(String name, String markdown, boolean update) {
        String page = SourceTree.read(path);
        String begin = "<!-- begin generated " + name + " -->\n";
        String end = "<!-- end generated " + name + " -->";
        assertThat(page)
                .as("%s has no section \"%s\"; add these two lines", path, name)
                .contains(begin, end);
        int from = page.indexOf(begin) + begin.length();
        int to = page.indexOf(end, from);
        if (update) {
            write(page.substring(0, from) + markdown + page.substring(to));
        } else {
            assertThat(page.substring(from, to))
                    .as("The section \"%s\" of %s is stale. This command renews it:%n  %s%n", name, path, command)
                    .isEqualTo(markdown);
        }
    }

    /** Asserts that the whole file has this text; writes it if the system property for that is set. */
    public void assertText(String text) {
        if (Boolean.getBoolean(UPDATE)) {
            write(text);
        }
        assertThat(SourceTree.read(path))
                .as("The file %s is stale. This command renews it:%n  %s%n", path, COMMAND)
                .isEqualTo(text);
    }

    /** A paragraph that wraps as prose does; code is not broken. */
    public static String paragraph(String text) {
        StringBuilder lines = new StringBuilder();
        int column = 0;
        for (String word : WORD.matcher(text).results().map(MatchResult::group).toList()) {
            boolean fits = column + 1 + word.length() <= WIDTH;
            lines.append(column == 0 ? "" : fits ? " " : "\n").append(word);
            column = column > 0 && fits ? column + 1 + word.length() : word.length();
        }
        return lines.append('\n').toString();
    }

    /** A table; a cell may contain any text of one line. */
    public static String table(List<String> header, Stream<List<String>> rows) {
        return row(header) + "|" + "---|".repeat(header.size()) + "\n"
                + rows.map(GeneratedPage::row).collect(Collectors.joining());
    }

    private static String row(List<String> cells) {
        return cells.stream()
                        .map(cell -> " "
                                + cell.replace("|", "\\|").replace("\n", " ").strip() + " |")
                        .collect(Collectors.joining("", "|", ""))
                        .replace("|  |", "| |")
                + "\n";
    }

    private void write(String text) {
        try {
            Files.writeString(path, text);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
