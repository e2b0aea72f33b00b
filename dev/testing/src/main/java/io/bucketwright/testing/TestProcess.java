package io.bucketwright.testing;

import java.io.IOException;

/** A process of a test, which ends with the test's JVM: a build that is stopped leaves none behind. */
public final class TestProcess {

    private TestProcess() {}

    public static Process start(ProcessBuilder builder) throws IOException {
        Process process = builder.start();
        Runtime.getRuntime().addShutdownHook(new Thread(process::destroyForcibly));
        return process;
    }
}
