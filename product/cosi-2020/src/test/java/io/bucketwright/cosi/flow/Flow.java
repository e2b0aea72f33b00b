package io.bucketwright.cosi.flow;

import io.bucketwright.api.cosi.Bucket;
import io.bucketwright.api.cosi.BucketAccess;
import io.bucketwright.cosi.fixture.S3Store;
import io.bucketwright.cosi.proto.CosiControllerGrpc;
import io.bucketwright.cosi.proto.CosiControllerGrpc.CosiControllerBlockingStub;
import io.bucketwright.cosi.proto.DataProtocol;
import io.bucketwright.cosi.sidecar.CosiOrders;
import io.bucketwright.cosi.sidecar.DriverRequests;
import io.bucketwright.cosi.sidecar.driver.BackendBucket;
import io.bucketwright.cosi.transfer.BucketTransfers;
import io.bucketwright.cosi.wire.SocketChannels;
import io.bucketwright.testing.TestCluster;
import io.fabric8.kubernetes.api.model.Secret;
import io.grpc.ManagedChannel;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import software.amazon.awssdk.services.s3.S3Client;
import software.amazon.awssdk.services.s3.model.Tag;

/** Controller, sidecar, driver and a real S3 store; requests in a namespace of their own. */
final class Flow extends StoreFlow {

    private final S3Store store;

    Flow(TestCluster cluster, Path folder) {
        this(cluster, folder, new S3Store(cluster.local().s3().orElseThrow()));
    }

    private Flow(TestCluster cluster, Path folder, S3Store store) {
        super(
                cluster,
                folder,
                "s3",
                DataProtocol.S3,
                store.parameters(),
                Map.of(
                        "AWS_ACCESS_KEY_ID", store.access().accessKeyId(),
                        "AWS_SECRET_ACCESS_KEY", store.access().secretAccessKey()));
        this.store = store;
    }

    List<Secret> provisionerSecrets() {
        return admin().secrets().inNamespace(provisioner.namespace()).list().getItems().stream()
                .filter(secret -> secret.getMetadata().getName().startsWith("ba-"))
                .toList();
    }

    /** Changes the store as if the bucket and the account belonged to another cluster, and returns keys of that cluster. */
    Map<String, String> moveTo(String formerCluster, Bucket bucket, BucketAccess access) {
        BackendBucket backend = CosiOrders.bucket(bucket);
        String name = backend.name();
        ManagedChannel channel = SocketChannels.open(socket);
        try (S3Client administrator = store.s3()) {
            CosiControllerBlockingStub driver = CosiControllerGrpc.newBlockingStub(channel);
            String cluster = admin().namespaces()
                    .withName("kube-system")
                    .get()
                    .getMetadata()
                    .getUid();
            driver.revokeBucketAccess(new DriverRequests(() -> cluster)
                    .revoke(CosiOrders.revoke(access, backend, access.account(), access.account(), store.secrets())));
            List<Tag> tags = administrator.getBucketTagging(it -> it.bucket(name)).tagSet().stream()
                    .map(tag -> tag.key().equals("bucketwright.io/cluster")
                            ? tag.toBuilder().value(formerCluster).build()
                            : tag)
                    .toList();
            administrator.putBucketTagging(it -> it.bucket(name).tagging(set -> set.tagSet(tags)));
            return driver.grantBucketAccess(new DriverRequests(() -> formerCluster)
                            .grant(CosiOrders.grant(access, backend, access.account(), "", store.secrets())))
                    .getCreds(0)
                    .getGenericCredentials()
                    .getCredentialsMap();
        } finally {
            channel.shutdownNow();
        }
    }

    /** Requests the transfer of all restored Buckets, and returns their names. */
    List<String> transfer(String formerCluster) {
        BucketTransfers transfers = new BucketTransfers(admin(), formerCluster);
        List<Bucket> restored = transfers.restored(provisioner.toString());
        restored.forEach(transfers::request);
        return restored.stream().map(bucket -> bucket.getMetadata().getName()).toList();
    }

    S3Client administrator() {
        return store.s3();
    }
}
