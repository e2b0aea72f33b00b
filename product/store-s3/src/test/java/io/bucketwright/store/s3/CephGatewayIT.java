package io.bucketwright.store.s3;

import io.bucketwright.store.contract.BucketStoreContract;
import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;

/** The store for S3 with the identity {@code ceph} keeps the contract, on a real Ceph object gateway, which takes its time. */
@ExtendWith(CephGateway.Provider.class)
@Execution(ExecutionMode.CONCURRENT)
@Order(1)
final class CephGatewayIT extends BucketStoreContract {

    CephGatewayIT(CephGateway gateway) {
        super(gateway);
    }
}
