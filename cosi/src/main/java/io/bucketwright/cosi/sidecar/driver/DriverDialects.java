package io.bucketwright.cosi.sidecar.driver;

import java.util.List;

/**
 * The dialects in which a driver is asked for its name.
 *
 * @param enabled that the sidecar uses, the preferred one first
 * @param disabled in which a driver that serves none of them is asked, to report it
 */
public record DriverDialects(List<Driver> enabled, List<Disabled> disabled) {

    public DriverDialects {
        enabled = List.copyOf(enabled);
        disabled = List.copyOf(disabled);
    }

    /**
     * A dialect that the sidecar recognizes and does not use. A driver that serves no other one is incompatible, and the
     * message says why.
     *
     * @param advice why it is not used and what to do, as the end of a sentence
     */
    public record Disabled(Driver driver, String advice) {}
}
