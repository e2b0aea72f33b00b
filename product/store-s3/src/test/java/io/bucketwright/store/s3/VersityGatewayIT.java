package io.bucketwright.store.s3;

import io.bucketwright.store.contract.BucketStoreContract;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.parallel.ResourceAccessMode;
import org.junit.jupiter.api.parallel.ResourceLock;

/** The store for S3 keeps the contract, on a real versitygw. */
@ExtendWith(Gateway.Provider.class)
@ResourceLock(value = "gateway", mode = ResourceAccessMode.READ)
final class VersityGatewayIT extends BucketStoreContract {

    VersityGatewayIT(Gateway gateway) {
        super(gateway);
    }
}
