package io.bucketwright.local.report;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import org.junit.jupiter.api.Test;

/** What a person sees while a step takes its time, on a terminal and in a log. */
class TerminalProgressTest {

    private static final String CLEAR = "\r\033[K";

    private final ByteArrayOutputStream bytes = new ByteArrayOutputStream();

    @Test
    void onATerminalOneLineIsUpdatedUntilTheStepEnds() {
        TerminalProgress progress = progress(true);
        progress.begin("build etcd");
        progress.advance("build etcd", 2, 10);
        await().until(() -> printed().contains("build etcd: 2 of 10 0."));
        progress.end("build etcd");
        String ended = printed();
        assertThat(ended).contains(CLEAR + "| build etcd 0.0 s", CLEAR + "/ ");
        assertThat(ended.substring(ended.lastIndexOf(CLEAR))).isEqualTo(CLEAR + "  build etcd (0 s)\n");
        assertThat(ended).containsOnlyOnce("\n");
    }

    @Test
    void aWaitLeavesNothingOnATerminal() {
        assertThat(progress(true).during("waiting", () -> "result")).isEqualTo("result");
        assertThat(printed()).startsWith(CLEAR + "| waiting").endsWith(CLEAR).doesNotContain("\n");
    }

    @Test
    void aWaitThatFailsLeavesNothingOnATerminal() {
        assertThatThrownBy(() -> progress(true).during("waiting", () -> {
                    throw new IllegalStateException("It failed.");
                }))
                .hasMessage("It failed.");
        assertThat(printed()).endsWith(CLEAR);
    }

    @Test
    void elsewhereLinesAreNeverChanged() {
        TerminalProgress progress = progress(false);
        progress.begin("build etcd");
        progress.advance("build etcd", 2, 10);
        progress.end("build etcd");
        assertThat(progress.during("waiting", () -> "result")).isEqualTo("result");
        assertThat(printed()).isEqualTo("  build etcd\n");
    }

    private TerminalProgress progress(boolean terminal) {
        return new TerminalProgress(new PrintStream(bytes, true, StandardCharsets.UTF_8), terminal);
    }

    private String printed() {
        return bytes.toString(StandardCharsets.UTF_8);
    }
}
