package io.bucketwright.store.s3;

import io.bucketwright.store.CompleteStore;
import io.bucketwright.store.s3.client.S3Parameters;
import io.bucketwright.store.s3.iam.IamIdentity;
import java.time.Duration;

/** Gives the conformance tests access to versitygw. */
final class VersityGateway extends S3UnderTest {

    private final Gateway gateway;

    VersityGateway(Gateway gateway) {
        super(new StoreAdministrator(
                gateway.parameters(),
                gateway.access().accessKeyId(),
                gateway.access().secretAccessKey(),
                gateway.s3()));
        this.gateway = gateway;
    }

    CompleteStore storeWithSlice(Duration slice) {
        S3Parameters parameters = S3Parameters.of(S3Parameters.schema().parse(gateway.parameters()));
        return new S3BucketStore(
                parameters, IdentitySource.of(IamIdentity.open(administrator().clients(), parameters)), slice);
    }
}
