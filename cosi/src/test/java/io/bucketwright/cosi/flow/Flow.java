package io.bucketwright.cosi.flow;

import io.bucketwright.api.cosi.Bucket;
import io.bucketwright.api.cosi.BucketAccess;
import io.bucketwright.api.cosi.CosiNames;
import io.bucketwright.api.cosi.Provisioner;
import io.bucketwright.cosi.bench.CosiBench;
import io.bucketwright.cosi.bench.S3Store;
import io.bucketwright.cosi.driver.CosiDriver;
import io.bucketwright.cosi.driver.DriverCredentials;
import io.bucketwright.cosi.driver.DriverSettings;
import io.bucketwright.cosi.proto.CosiControllerGrpc;
import io.bucketwright.cosi.proto.CosiControllerGrpc.CosiControllerBlockingStub;
import io.bucketwright.cosi.proto.DataProtocol;
import io.bucketwright.cosi.sidecar.CosiSidecar;
import io.bucketwright.cosi.sidecar.dialect.DriverRequests;
import io.bucketwright.cosi.sidecar.driver.BackendBucket;
import io.bucketwright.cosi.sidecar.driver.CosiOrders;
import io.bucketwright.cosi.transfer.BucketTransfers;
import io.bucketwright.cosi.wire.SocketChannels;
import io.bucketwright.cosi.wire.SocketPath;
import io.bucketwright.cosi.wire.SocketServer;
import io.bucketwright.runtime.engine.ClientOptions;
import io.bucketwright.runtime.engine.ControllerProcess;
import io.bucketwright.store.Stores;
import io.bucketwright.testing.ApiUser;
import io.bucketwright.testing.TestCluster;
import io.fabric8.kubernetes.api.model.Secret;
import io.fabric8.kubernetes.api.model.SecretBuilder;
import io.grpc.ManagedChannel;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import software.amazon.awssdk.services.s3.S3Client;
import software.amazon.awssdk.services.s3.model.Tag;

/** Controller, sidecar, driver and a real S3 store; requests in a namespace of their own. */
final class Flow extends CosiBench {

    private static final String ADMINISTRATOR = "administrator";

    private final S3Store store;
    private final SocketPath socket;

    Flow(TestCluster cluster, Path folder) {
        super(cluster, cluster.namespace() + "-tenant", new Provisioner(cluster.namespace(), "s3.test"));
        this.store = new S3Store(cluster.local().s3().orElseThrow());
        this.socket = new SocketPath(folder.resolve("cosi.sock"));
        create(new SecretBuilder()
                .withNewMetadata()
                .withNamespace(provisioner.namespace())
                .withName(ADMINISTRATOR)
                .withLabels(Map.of("cosi.io/provisioner-secret", "true"))
                .endMetadata()
                .withStringData(Map.of(
                        "AWS_ACCESS_KEY_ID", store.access().accessKeyId(),
                        "AWS_SECRET_ACCESS_KEY", store.access().secretAccessKey()))
                .build());
        CosiDriver driver = new CosiDriver(
                new DriverSettings(provisioner.name(), "s3", DataProtocol.S3, store.parameters()),
                Stores.installed(),
                DriverCredentials.none());
        open.push(driver::close);
        open.push(SocketServer.start(socket, List.of(driver))::close);
    }

    ControllerProcess sidecar(ApiUser user) {
        return started(ClientOptions.config(CosiSidecar.builder(), user.config())
                .provisioner(provisioner.toString())
                .driver(socket.toString())
                // The first call loads the client of the store; on a busy machine that takes more than the default.
                .driverTimeout(Duration.ofMinutes(1))
                .build());
    }

    @Override
    public String bucketClass() {
        return bucketClass(
                "class",
                bucketClass -> bucketClass.setParameters(Map.of(CosiNames.PROVISIONER_SECRET_NAME, ADMINISTRATOR)));
    }

    /** The content of the application's Secret. */
    Map<String, String> credentials(String name) {
        return content(namespace(), name);
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
