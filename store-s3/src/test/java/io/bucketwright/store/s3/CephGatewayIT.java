package io.bucketwright.store.s3;

import io.bucketwright.store.contract.BucketStoreContract;
import org.junit.jupiter.api.extension.ExtendWith;

/** The store for S3 with the identity {@code ceph} keeps the contract, on a real Ceph object gateway. */
@ExtendWith(CephGateway.Provider.class)
final class CephGatewayIT extends BucketStoreContract {

    CephGatewayIT(CephGateway gateway) {
        super(gateway);
    }
}
