package io.bucketwright.cosi.sidecar.driver;



import java.time.Instant;

/**
 * Something that failed, remembered so that the echo of our own writes does not try it again at once.
 *
 * @param method what failed
 * @param inputs what it depended on: another value is a change, and a reason to try now
 * @param attempts how often in a row
 */
public record Failure(DriverMethod method, Trouble trouble, String inputs, int attempts, Instant notBefore) {

    /** Whether it must not be tried again yet. */
    public boolean holds(DriverMethod now, String inputsNow, Instant time) {
        return method == now && inputs.equals(inputsNow) && (trouble.untilChange() || time.isBefore(notBefore));
    }
}
