package io.bucketwright.cosi.sidecar.driver;


/**
 * Why an object does not go on, as people read it.
 *
 * @param eventReason the reason of the event about it
 * @param reason one word in CamelCase, for conditions
 * @param message what happened and what to do; holds no secret
 * @param untilChange whether nothing is tried before something changes
 */
public record Trouble(String eventReason, String reason, String message, boolean untilChange) {

    public static Trouble passing(DriverMethod method, String reason, String message) {
        return new Trouble(method.eventReason(), reason, message, false);
    }

    public static Trouble untilChange(DriverMethod method, String reason, String message) {
        return new Trouble(method.eventReason(), reason, message, true);
    }
}
