package io.bucketwright.local.report;

import java.io.IOException;
import java.util.concurrent.TimeUnit;

/**
 * A failure of the local cluster that its user has to fix. The message is written for people: what
 * failed, on what, and what to do. Commands print it as it is.
 */
public final class LocalClusterException extends RuntimeException {

    public LocalClusterException(String message) {
        super(message);
    }

    public LocalClusterException(String message, Throwable cause) {
        super(message, cause);
    }

    /** Interrupts the current thread again. */
    public static LocalClusterException interrupted(String message, InterruptedException cause) {
        Thread.currentThread().interrupt();
        return new LocalClusterException(message, cause);
    }

    /** Runs the work; if it fails, reports what could not be done, and why. */
    public static <T> T orFail(String what, FileWork<T> work) {
        try {
            return work.run();
        } catch (IOException e) {
            throw new LocalClusterException(what + ": " + e + ".", e);
        }
    }

    public static void sleep(long millis, String interrupted) {
        try {
            TimeUnit.MILLISECONDS.sleep(millis);
        } catch (InterruptedException e) {
            throw interrupted(interrupted, e);
        }
    }

    /** Work that reads or writes files. */
    @FunctionalInterface
    public interface FileWork<T> {
        T run() throws IOException;
    }
}
