package io.bucketwright.cosi.sidecar.driver;

import io.bucketwright.api.cosi.ProvisionerReason;


/**
 * Why an object does not go on, as people read it.
 *
 * @param eventReason the reason of the event about it
 * @param message what happened and what to do; holds no secret
 * @param untilChange whether nothing is tried before something changes
 */
public record Trouble(String eventReason, ProvisionerReason reason, String message, boolean untilChange) {

    public static Trouble passing(DriverMethod method, ProvisionerReason reason, String message) {
        return new Trouble(method.eventReason(), reason, message, false);
    }

    public static Trouble untilChange(DriverMethod method, ProvisionerReason reason, String message) {
        return new Trouble(method.eventReason(), reason, message, true);
    }
}
