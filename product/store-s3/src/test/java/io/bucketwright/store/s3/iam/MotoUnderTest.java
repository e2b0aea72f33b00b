package io.bucketwright.store.s3.iam;

import io.bucketwright.local.stores.LocalStore;
import io.bucketwright.local.stores.StoreAccess;
import io.bucketwright.local.stores.StoreKind;
import io.bucketwright.store.access.BucketName;
import io.bucketwright.store.connection.ProvisionedBucket;
import io.bucketwright.store.contract.ObjectClient;
import io.bucketwright.store.s3.S3Application;
import io.bucketwright.store.s3.S3UnderTest;
import io.bucketwright.store.s3.StoreAdministrator;
import io.bucketwright.store.s3.client.AdministratorPolicy;
import io.bucketwright.store.s3.client.SdkCalls;
import java.util.Map;
import java.util.Optional;
import software.amazon.awssdk.services.iam.IamClient;
import software.amazon.awssdk.services.iam.model.AccessKey;

/**
 * Gives the conformance tests access to moto. The administrator of the store has only the permissions that docs/stores.md
 * lists. moto checks IAM actions against the resource "*", and DeleteObjects against the bucket, so those resources are not
 * tested.
 */
final class MotoUnderTest extends S3UnderTest {

    private static final String USER = "least-privilege";

    /**
     * A running moto.
     *
     * @param owner an administrator with all permissions
     */
    record Server(LocalStore store, StoreAdministrator owner) implements AutoCloseable {

        static Server start() {
            LocalStore store = LocalStore.start(StoreKind.MOTO);
            StoreAccess access = store.access();
            Map<String, String> parameters = Map.of("endpoint", access.endpoint(), "region", access.region());
            return new Server(
                    store, new StoreAdministrator(parameters, access.accessKeyId(), access.secretAccessKey()));
        }

        /** An administrator with the permissions for these operations. */
        StoreAdministrator restricted(Iterable<String> operations) {
            String policy = policy(operations);
            try (IamClient iam = owner.clients().iam()) {
                iam.createUser(request -> request.userName(USER));
                iam.putUserPolicy(
                        request -> request.userName(USER).policyName(USER).policyDocument(policy));
                AccessKey key =
                        iam.createAccessKey(request -> request.userName(USER)).accessKey();
                return new StoreAdministrator(owner.parameters(), key.accessKeyId(), key.secretAccessKey(), owner.s3());
            }
        }

        @Override
        public void close() {
            store.close();
        }
    }

    /** The policy for these operations, with resources as moto checks them. */
    static String policy(Iterable<String> operations) {
        return AdministratorPolicy.policy(operations)
                .replaceAll("\"arn:aws:iam::[^\"]*\"", "\"*\"")
                .replace("arn:aws:s3:::*/*", "arn:aws:s3:::*");
    }

    MotoUnderTest(Server moto) {
        super(moto.restricted(SdkCalls.ofThisModule()));
    }

    /** moto ignores tags in the request that creates a bucket. */
    @Override
    public boolean createsBucketsWithOwner() {
        return false;
    }

    /** moto fails with 500. */
    @Override
    public Optional<ObjectClient> anonymous(BucketName bucket) {
        return Optional.empty();
    }

    /** moto lets everybody change legal holds. */
    @Override
    public ObjectClient application(ProvisionedBucket bucket) {
        return new S3Application(bucket, false);
    }
}
