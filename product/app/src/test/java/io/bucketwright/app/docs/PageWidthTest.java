package io.bucketwright.app.docs;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;

/** Prose wraps at 120 columns, so that a change shows as the lines that changed. Tables, code and headings do not wrap. */
class PageWidthTest {

    private static final Pattern FENCE = Pattern.compile("\\s*([-*+]\\s+)?(```|~~~).*");
    private static final Pattern NO_PROSE = Pattern.compile(" {4}.*|\\s*([|#<]|\\[[^]]+]:\\s).*");
    private static final Pattern UNBROKEN = Pattern.compile("`[^`]+`|\\[[^]]*]\\([^)]*\\)");

    @Test
    void proseWrapsAt120Columns() throws IOException {
        List<Path> pages = MarkdownPages.all();
        assertThat(pages).hasSizeGreaterThan(70);
        List<String> wide = new ArrayList<>();
        for (Path page : pages) {
            for (int number : wideLines(Files.readAllLines(page))) {
                wide.add(MarkdownPages.ROOT.relativize(page) + ":" + number);
            }
        }
        assertThat(wide).isEmpty();
    }

    @Test
    void onlyProseThatCanWrapIsFound() {
        String words = "word ".repeat(25);
        assertThat(wideLines(List.of("short", words, "- " + words, "> " + words)))
                .containsExactly(2, 3, 4);
        assertThat(wideLines(List.of("| " + words, "# " + words, "- `" + words + "`", "[" + words + "](page.md)")))
                .isEmpty();
        assertThat(wideLines(List.of("    " + words))).isEmpty();
        assertThat(wideLines(List.of("```", words, "```", words))).containsExactly(4);
    }

    /** The numbers of lines that are too long and have a place to wrap. */
    private static List<Integer> wideLines(List<String> lines) {
        List<Integer> wide = new ArrayList<>();
        boolean code = false;
        for (int i = 0; i < lines.size(); i++) {
            String line = lines.get(i).stripTrailing();
            if (FENCE.matcher(line).matches()) {
                code = !code;
            } else if (!code
                    && line.length() > GeneratedPage.WIDTH
                    && !NO_PROSE.matcher(line).matches()
                    && canWrap(line)) {
                wide.add(i + 1);
            }
        }
        return wide;
    }

    private static boolean canWrap(String line) {
        String text = line.replaceFirst("^\\s*([-*+>]|\\d+\\.)?\\s*", "");
        return UNBROKEN.matcher(text)
                .replaceAll(part -> "x".repeat(part.group().length()))
                .contains(" ");
    }
}
