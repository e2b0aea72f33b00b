package io.bucketwright.app.docs;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Stale sections of generated pages are found and renewed, and nothing else of a page changes. */
class GeneratedPageTest {

    @TempDir
    private Path folder;

    @Test
    void aStaleSectionIsReportedWithTheCommandThatRenewsIt() throws IOException {
        GeneratedPage page = page("old\n");
        assertThatThrownBy(() -> page.assertSection("flags", "new\n", false))
                .hasMessageContaining("is stale")
                .hasMessageContaining("./mvnw -pl dev/devtools -am test -Dtest='*PageTest'");
        page.assertSection("flags", "old\n", false);
    }

    @Test
    void onlyTheSectionIsRenewed() throws IOException {
        GeneratedPage page = page("old\n");
        page.assertSection("flags", "new\n", true);
        assertThat(page.path())
                .hasContent("# Flags\n<!-- begin generated flags -->\nnew\n<!-- end generated flags -->\nEnd\n");
    }

    @Test
    void aPageWithoutTheSectionIsReported() throws IOException {
        GeneratedPage page = page("old\n");
        assertThatThrownBy(() -> page.assertSection("other", "new\n", true))
                .hasMessageContaining("begin generated other");
    }

    @Test
    void aTableHasOneLineForEachRow() {
        assertThat(GeneratedPage.table(List.of("a", "b"), Stream.of(List.of("x|y", ""), List.of("1\n2", "3"))))
                .isEqualTo("| a | b |\n|---|---|\n| x\\|y | |\n| 1 2 | 3 |\n");
    }

    @Test
    void aParagraphWrapsAt120ColumnsAndNotInCode() {
        String nine = "123456789 ";
        assertThat(GeneratedPage.paragraph("short")).isEqualTo("short\n");
        assertThat(GeneratedPage.paragraph(nine.repeat(12) + "x"))
                .isEqualTo(nine.repeat(12).strip() + "\nx\n");
        assertThat(GeneratedPage.paragraph(nine.repeat(11) + "123456789x y"))
                .isEqualTo(nine.repeat(11) + "123456789x\ny\n");
        assertThat(GeneratedPage.paragraph(nine.repeat(11) + "`a command` y"))
                .isEqualTo(nine.repeat(11).strip() + "\n`a command` y\n");
    }

    private GeneratedPage page(String section) throws IOException {
        return new GeneratedPage(Files.writeString(
                folder.resolve("flags.md"),
                "# Flags\n<!-- begin generated flags -->\n" + section + "<!-- end generated flags -->\nEnd\n"));
    }
}
