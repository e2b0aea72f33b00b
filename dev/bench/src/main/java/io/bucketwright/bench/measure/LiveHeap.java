package io.bucketwright.bench.measure;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.OptionalLong;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** The bytes of reachable objects of a Java process, after a full garbage collection. */
public final class LiveHeap {

    private static final Pattern TOTAL = Pattern.compile("(?m)^Total\\s+\\d+\\s+(\\d+)\\s*$");

    private LiveHeap() {}

    /** Asks {@code jcmd} of the JDK that runs this command. Empty without a JDK or if the process is not a JVM. */
    public static OptionalLong bytes(long pid) throws InterruptedException {
        Path jcmd = Path.of(System.getProperty("java.home"), "bin", "jcmd");
        if (!Files.isExecutable(jcmd)) {
            return OptionalLong.empty();
        }
        try {
            Process process = new ProcessBuilder(
                            jcmd.toString(), "-J-XX:TieredStopAtLevel=1", Long.toString(pid), "GC.class_histogram")
                    .redirectErrorStream(true)
                    .start();
            String output = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
            return process.waitFor(1, TimeUnit.MINUTES) ? parse(output) : OptionalLong.empty();
        } catch (IOException e) {
            return OptionalLong.empty();
        }
    }

    static OptionalLong parse(String histogram) {
        Matcher total = TOTAL.matcher(histogram);
        return total.find() ? OptionalLong.of(Long.parseLong(total.group(1))) : OptionalLong.empty();
    }
}
