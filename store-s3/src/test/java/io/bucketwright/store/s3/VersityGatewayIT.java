package io.bucketwright.store.s3;

import io.bucketwright.store.contract.BucketStoreContract;
import org.junit.jupiter.api.extension.ExtendWith;

/** The store for S3 keeps the contract, on a real versitygw. */
@ExtendWith(Gateway.Provider.class)
final class VersityGatewayIT extends BucketStoreContract {

    VersityGatewayIT(Gateway gateway) {
        super(new VersityGateway(gateway));
    }
}
