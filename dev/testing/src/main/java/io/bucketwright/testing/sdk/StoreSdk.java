package io.bucketwright.testing.sdk;

import io.bucketwright.local.binaries.Binaries;
import io.bucketwright.local.binaries.PackageSet;
import io.bucketwright.local.binaries.Packages;
import io.bucketwright.local.report.Progress;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.TimeUnit;

/**
 * A program with the SDK of a store. It writes an object, reads it, lists the bucket and deletes the object, with nothing
 * but the variables that a pod has from its Secret and its ConfigMap.
 */
public enum StoreSdk {
    AZURE,
    GCS,
    MINIO;

    /** What a program prints that may do everything with the objects of a bucket. */
    public static final List<String> ALLOWED = List.of("read world", "listed ['hello']");

    private static final long LONGEST_SECONDS = 120;

    /**
     * Runs the program and returns the lines that it prints: {@link #ALLOWED}, or {@code refused} and the HTTP status.
     *
     * @param variables all of its environment
     * @param bucket the bucket that it uses
     */
    public List<String> use(Map<String, String> variables, String bucket) {
        Binaries binaries = Binaries.ofThisUser(Progress.silent());
        Path python = new Packages(binaries.cache(), binaries.progress())
                .provide(PackageSet.STORE_SDKS)
                .resolve("python/bin/python");
        ProcessBuilder builder = new ProcessBuilder(python.toString(), "-c", script(), bucket);
        builder.environment().clear();
        builder.environment().putAll(variables);
        builder.environment().put("NO_PROXY", "*");
        try {
            Process process = builder.redirectErrorStream(true).start();
            try {
                process.getOutputStream().close();
                List<String> lines =
                        process.inputReader(StandardCharsets.UTF_8).lines().toList();
                if (!process.waitFor(LONGEST_SECONDS, TimeUnit.SECONDS) || process.exitValue() != 0) {
                    throw new AssertionError("the program with the SDK failed: " + String.join("\n", lines));
                }
                return lines;
            } finally {
                process.destroyForcibly();
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException(e);
        }
    }

    private String script() {
        String name = name().toLowerCase(Locale.ROOT) + ".py";
        try (InputStream script = StoreSdk.class.getResourceAsStream(name)) {
            if (script == null) {
                throw new IllegalStateException(name + " is missing");
            }
            return new String(script.readAllBytes(), StandardCharsets.UTF_8);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
