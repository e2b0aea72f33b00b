package io.bucketwright.cosi.sidecar.driver;

import io.bucketwright.api.cosi.Protocol;
import java.util.Set;

/**
 * Who a driver is.
 *
 * @param protocols that it serves; all of them if its dialect cannot say
 */
public record DriverInfo(String name, Set<Protocol> protocols) {

    public DriverInfo {
        protocols = Set.copyOf(protocols);
    }
}
