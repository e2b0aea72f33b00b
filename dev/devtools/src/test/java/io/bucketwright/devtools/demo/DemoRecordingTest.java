package io.bucketwright.devtools.demo;

import static org.assertj.core.api.Assertions.assertThat;

import io.bucketwright.devtools.demo.DemoRecording.Line;
import java.nio.charset.StandardCharsets;
import java.util.List;
import org.junit.jupiter.api.Test;

/** A recorded terminal becomes the lines that remain on it, each with its time. */
class DemoRecordingTest {

    @Test
    void aRewrittenLineCountsWithItsLastText() {
        String output = "Script started\n1. Start\r\n\r\033[K| etcd 0.0 s\r\033[K  etcd (1 s)\r\n";
        assertThat(DemoRecording.lines(output.getBytes(StandardCharsets.UTF_8), "0.5 10\n0.5 16\n1.0 18\n"))
                .containsExactly(new Line(0.5, "1. Start"), new Line(2.0, "  etcd (1 s)"));
    }

    @Test
    void thePictureHasEveryLineAtItsTime() {
        assertThat(DemoRecording.picture(List.of(new Line(2, "1. Start <here>"), new Line(2.5, "   | kind: Pod"))))
                .contains("class=\"s\" style=\"animation-delay:2.00s\">1. Start &lt;here></text>")
                .contains("class=\"y\" style=\"animation-delay:2.50s\">   | kind: Pod</text>");
    }
}
