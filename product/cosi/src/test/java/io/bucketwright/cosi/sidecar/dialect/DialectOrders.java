package io.bucketwright.cosi.sidecar.dialect;

import io.bucketwright.api.cosi.AnonymousAccessMode;
import io.bucketwright.api.cosi.PolicyActions;
import io.bucketwright.api.cosi.Protocol;
import io.bucketwright.cosi.sidecar.driver.AccountAuthentication;
import io.bucketwright.cosi.sidecar.driver.BackendAccount;
import io.bucketwright.cosi.sidecar.driver.BackendBucket;
import io.bucketwright.cosi.sidecar.driver.DriverOrder;
import java.util.Map;
import java.util.Optional;

/** Orders for the tests of dialects. */
public final class DialectOrders {

    public static final BackendAccount ACCOUNT = new BackendAccount(
            "ba-1", "key/7", Map.of("mode", "ro"), PolicyActions.NONE, "", AccountAuthentication.KEY);

    private DialectOrders() {}

    public static BackendBucket bucket(Map<String, String> parameters) {
        return new BackendBucket("photos-1", "eu/photos-1", parameters, "uid-1", "");
    }

    public static DriverOrder.Create create(Protocol protocol, Map<String, String> parameters) {
        return new DriverOrder.Create(
                bucket(parameters), Optional.of(protocol), AnonymousAccessMode.PRIVATE, false, Map.of());
    }

    public static DriverOrder.Grant grant(Protocol protocol, Map<String, String> parameters) {
        return new DriverOrder.Grant(bucket(parameters), Optional.of(protocol), ACCOUNT, "", Map.of());
    }
}
