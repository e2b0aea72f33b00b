package io.bucketwright.store.s3;

import io.bucketwright.store.BucketStore;
import io.bucketwright.store.options.Capability;
import io.bucketwright.store.s3.client.S3Parameters;
import io.bucketwright.store.s3.iam.IamPrincipals;
import io.bucketwright.store.s3.identity.AdministratorClient;
import io.bucketwright.store.s3.identity.BucketQuotas;
import io.bucketwright.store.s3.identity.Identity;
import java.time.Duration;
import java.util.Set;

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

    BucketStore storeWithSlice(Duration slice) {
        return new S3BucketStore(
                S3Parameters.of(S3Parameters.schema().parse(gateway.parameters())),
                IdentitySource.of(new Identity(
                        new IamPrincipals(
                                gateway.iam(),
                                S3Parameters.of(S3Parameters.schema().parse(gateway.parameters()))
                                        .iam()),
                        new AdministratorClient(gateway.s3()),
                        BucketQuotas.unsupported(),
                        Set.of(Capability.QUOTA))),
                slice);
    }
}
