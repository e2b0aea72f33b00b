package io.bucketwright.devtools.demo;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;

/**
 * Runs the demo on a terminal and draws its output as an animated picture, each line at the time at which it was printed. In
 * the root of a clone, after a first {@code ./bucketwright demo}:
 *
 * <pre>java dev/devtools/src/test/java/io/bucketwright/devtools/demo/DemoRecording.java docs/demo.svg</pre>
 */
final class DemoRecording {

    private static final String COMMAND = "./bucketwright demo --only buckets";
    private static final int WIDTH = 960;
    private static final int LINE = 17;
    private static final int COLUMNS = 120;

    private DemoRecording() {}

    /** A line of the terminal, and the seconds after which it was complete. */
    record Line(double seconds, String text) {}

    public static void main(String[] arguments) throws IOException, InterruptedException {
        Path out = Files.createTempFile("demo", ".out");
        Path timing = Files.createTempFile("demo", ".timing");
        try {
            int exit = new ProcessBuilder(
                            "script",
                            "-q",
                            "-e",
                            "-c",
                            COMMAND,
                            "--log-out",
                            out.toString(),
                            "--log-timing",
                            timing.toString())
                    .inheritIO()
                    .start()
                    .waitFor();
            if (exit != 0) {
                throw new IllegalStateException(COMMAND + " failed with exit code " + exit);
            }
            Files.writeString(Path.of(arguments[0]), picture(lines(Files.readAllBytes(out), Files.readString(timing))));
        } finally {
            Files.delete(out);
            Files.delete(timing);
        }
    }

    /**
     * What remains on the terminal. A line that is rewritten, as progress is, counts with its last text.
     *
     * @param output as {@code script} records it, with a header line that is not in the timing
     * @param timing lines of seconds since the previous output, and the number of bytes
     */
    static List<Line> lines(byte[] output, String timing) {
        List<Line> lines = new ArrayList<>();
        int position = 0;
        while (output[position] != '\n') {
            position++;
        }
        position++;
        StringBuilder current = new StringBuilder();
        double seconds = 0;
        for (String step : timing.lines().toList()) {
            String[] fields = step.split(" ", 2);
            seconds += Double.parseDouble(fields[0]);
            int end = Math.min(output.length, position + Integer.parseInt(fields[1].strip()));
            String text = new String(Arrays.copyOfRange(output, position, end), StandardCharsets.UTF_8);
            position = end;
            for (String part : text.split("(?<=\n)", -1)) {
                current.append(part);
                if (part.endsWith("\n")) {
                    String whole = current.toString();
                    String last =
                            whole.substring(whole.lastIndexOf("\033[K") < 0 ? 0 : whole.lastIndexOf("\033[K") + 3);
                    lines.add(new Line(seconds, last.replaceAll("[\r\n]", "")));
                    current.setLength(0);
                }
            }
        }
        return lines;
    }

    /** The lines as an SVG. A program that does not animate shows all of them. */
    static String picture(List<Line> lines) {
        StringBuilder svg = new StringBuilder();
        int height = (lines.size() + 3) * LINE;
        svg.append(String.format(
                Locale.ROOT,
                "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 %d %d\" font-family=\"monospace\""
                        + " font-size=\"13\" xml:space=\"preserve\">%n",
                WIDTH,
                height));
        svg.append("<style>text{fill:#d7dde4;white-space:pre;animation:a .01s both}@keyframes a{from{opacity:0}}"
                + ".s{fill:#8fd18f;font-weight:bold}.y{fill:#8ec7f0}.c{fill:#f0d58e}.t{fill:#7d8894}</style>\n");
        svg.append("<rect width=\"100%\" height=\"100%\" rx=\"8\" fill=\"#1b2229\"/>\n");
        int y = 2 * LINE;
        append(svg, y, new Line(0, "$ " + COMMAND), "c");
        for (Line line : lines) {
            y += LINE;
            append(svg, y, line, kind(line.text()));
        }
        return svg.append("</svg>\n").toString();
    }

    private static void append(StringBuilder svg, int y, Line line, String kind) {
        String text = line.text().length() > COLUMNS ? line.text().substring(0, COLUMNS - 1) + "…" : line.text();
        svg.append(String.format(
                Locale.ROOT,
                "<text x=\"14\" y=\"%d\" class=\"%s\" style=\"animation-delay:%.2fs\">%s</text>%n",
                y,
                kind,
                line.seconds(),
                text.replace("&", "&amp;").replace("<", "&lt;")));
    }

    private static String kind(String text) {
        if (text.matches("\\d+\\. .*")) {
            return "s";
        }
        if (text.startsWith("   | ")) {
            return "y";
        }
        return text.startsWith("   $ ") ? "c" : text.matches("   \\(.*\\)|  start .*") ? "t" : "o";
    }
}
