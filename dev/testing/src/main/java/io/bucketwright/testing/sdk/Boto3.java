package io.bucketwright.testing.sdk;

import io.bucketwright.local.binaries.Binaries;
import io.bucketwright.local.binaries.PackageSet;
import io.bucketwright.local.binaries.Packages;
import io.bucketwright.local.report.Progress;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.Map;
import java.util.concurrent.TimeUnit;

/** Programs in Python that use the SDK of AWS, as users write them. */
public final class Boto3 {

    private static final long LONGEST_SECONDS = 120;

    private Boto3() {}

    /**
     * Runs a program and returns what it prints.
     *
     * @param variables all of its environment
     * @throws AssertionError if it fails; with what it printed
     */
    public static String run(String program, Map<String, String> variables) {
        Binaries binaries = Binaries.ofThisUser(Progress.silent());
        // moto is made with boto3 and brings it.
        String python = new Packages(binaries.cache(), binaries.progress())
                .provide(PackageSet.MOTO)
                .resolve("python/bin/python")
                .toString();
        ProcessBuilder builder = new ProcessBuilder(python, "-c", program).redirectErrorStream(true);
        builder.environment().clear();
        builder.environment().putAll(variables);
        builder.environment().put("NO_PROXY", "*");
        try {
            Process process = builder.start();
            try {
                process.getOutputStream().close();
                String printed = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
                if (!process.waitFor(LONGEST_SECONDS, TimeUnit.SECONDS) || process.exitValue() != 0) {
                    throw new AssertionError("the program failed: " + printed);
                }
                return printed;
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
}
