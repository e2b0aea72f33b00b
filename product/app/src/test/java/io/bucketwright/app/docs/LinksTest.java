package io.bucketwright.app.docs;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;

/** Every relative link of every page leads to a file of the repository, and to a heading of it. */
class LinksTest {

    private static final Pattern CODE = Pattern.compile("(?s)```.*?```|`[^`\n]*`");
    private static final Pattern LINK = Pattern.compile("]\\(([^)\\s]+)\\)|<img[^>]* src=\"([^\"]+)\"");
    private static final Pattern HEADING = Pattern.compile("(?m)^#{1,6} +(.*?) *$");

    @Test
    void everyLinkLeadsSomewhere() throws IOException {
        List<Path> pages = MarkdownPages.all();
        assertThat(pages).hasSizeGreaterThan(50);
        List<String> broken = new ArrayList<>();
        int links = 0;
        for (Path page : pages) {
            for (String link : links(Files.readString(page))) {
                links++;
                if (!leadsSomewhere(page, link)) {
                    broken.add(MarkdownPages.ROOT.relativize(page) + ": " + link);
                }
            }
        }
        assertThat(links).isGreaterThan(200);
        assertThat(broken).isEmpty();
    }

    @Test
    void aMissingFileAndAMissingHeadingAreFound() {
        Path page = MarkdownPages.ROOT.resolve("docs/README.md");
        assertThat(leadsSomewhere(page, "buckets.md")).isTrue();
        assertThat(leadsSomewhere(page, "decisions")).isTrue();
        assertThat(leadsSomewhere(page, "README.md#documentation")).isTrue();
        assertThat(leadsSomewhere(page, "#documentation")).isTrue();
        assertThat(leadsSomewhere(page, "README.md#nothing")).isFalse();
        assertThat(leadsSomewhere(page, "#nothing")).isFalse();
        assertThat(leadsSomewhere(page, "nothing.md")).isFalse();
    }

    private static List<String> links(String text) {
        return LINK.matcher(CODE.matcher(text).replaceAll("code"))
                .results()
                .map(LinksTest::target)
                .filter(target -> !target.matches("[a-z]+:.*"))
                .toList();
    }

    private static String target(MatchResult link) {
        return link.group(1) == null ? link.group(2) : link.group(1);
    }

    private static boolean leadsSomewhere(Path page, String link) {
        int hash = link.indexOf('#');
        String file = hash < 0 ? link : link.substring(0, hash);
        Path target = file.isEmpty() ? page : page.resolveSibling(file).normalize();
        return Files.exists(target) && (hash < 0 || anchors(target).contains(link.substring(hash + 1)));
    }

    /** As GitHub makes them of headings. */
    private static Set<String> anchors(Path page) {
        try {
            return HEADING.matcher(Files.readString(page).replaceAll("(?s)```.*?```", ""))
                    .results()
                    .map(heading -> heading.group(1)
                            .replaceAll("\\[([^]]*)]\\([^)]*\\)", "$1")
                            .toLowerCase(Locale.ROOT)
                            .replaceAll("[^\\p{L}\\p{N} _-]", "")
                            .replace(' ', '-'))
                    .collect(Collectors.toSet());
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
