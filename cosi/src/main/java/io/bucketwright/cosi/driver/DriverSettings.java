package io.bucketwright.cosi.driver;

import io.bucketwright.cosi.proto.DataProtocol;
import java.util.Map;

/**
 * Options of a driver.
 *
 * @param store the kind of store
 * @param protocol what applications speak with that store
 * @param parameters of the store and of buckets, as in a class; a request may add to them, and contradict none
 */
public record DriverSettings(DriverName name, String store, DataProtocol protocol, Map<String, String> parameters) {

    public DriverSettings {
        parameters = Map.copyOf(parameters);
    }
}
