package io.bucketwright.cosi.upstream;

import static org.assertj.core.api.Assertions.assertThat;

import io.bucketwright.api.cosi.Bucket;
import io.bucketwright.api.cosi.BucketAccessClass;
import io.bucketwright.api.cosi.BucketAccessRequest;
import io.bucketwright.api.cosi.BucketClass;
import io.bucketwright.api.cosi.BucketRequest;
import io.bucketwright.api.objectstorage.BucketClaim;
import io.bucketwright.cosi.migration.CosiObjects;
import io.bucketwright.cosi.migration.ReleasedExport;
import io.bucketwright.cosi.proto.CosiControllerGrpc;
import io.bucketwright.cosi.proto.CreateBucketRequest;
import io.bucketwright.cosi.proto.DataProtocol;
import io.bucketwright.cosi.wire.ParameterKeys;
import io.bucketwright.cosi.wire.SocketChannels;
import io.bucketwright.cosi.wire.SocketPath;
import io.bucketwright.local.AddOn;
import io.bucketwright.testing.Eventually;
import io.bucketwright.testing.OnCluster;
import io.bucketwright.testing.TestCluster;
import io.fabric8.kubernetes.client.utils.Serialization;
import io.grpc.ManagedChannel;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What {@code cosi export} writes, with our controller and the sidecar of the reference implementation. */
@OnCluster(with = AddOn.S3, own = true)
class ExportedBucketIT {

    @TempDir
    private Path folder;

    @Test
    void anExportedBucketOfCosiIoIsUsedThroughReleasedKindsAndNotDeleted(TestCluster cluster) {
        try (UpstreamFixture bench = new UpstreamFixture(cluster, folder);
                UpstreamCosi upstream = new UpstreamCosi(cluster.namespace(), folder)) {
            String bucket = "cosi-io-" + cluster.namespace();
            createByCosiIo(folder.resolve("cosi.sock"), bucket);
            bench.startController(cluster.user("controller"));
            upstream.startSidecar(cluster.user("upstream-sidecar"), bench.socket());
            bench.apply(ReleasedExport.yaml(ofCosiIo(cluster.namespace(), bench.driverName(), bucket)));
            Eventually.await("the claim to be ready")
                    .until(() -> bench.claimed("photos").status().bucketReady());
            bench.awaitGranted("viewer");
            assertThat(bench.accessed("viewer").spec().credentialsSecretName()).isEqualTo("viewer-bucketinfo");
            assertThat(bench.bucketInfo("viewer-bucketinfo").path("bucketName").asText())
                    .isEqualTo(bucket);
            bench.useBucket("viewer-bucketinfo", "through released kinds");

            bench.delete(bench.accessed("viewer"));
            bench.awaitDeleted(bench.secret("viewer-bucketinfo"));
            BucketClaim claim = bench.claimed("photos");
            bench.delete(claim);
            bench.awaitDeleted(claim);
            assertThat(bench.inStore(bucket)).containsExactly(bucket);
        }
    }

    /** A bucket as a Bucket of {@code cosi.io} creates it: with an owner that released kinds do not have. */
    private static void createByCosiIo(Path socket, String bucket) {
        ManagedChannel channel = SocketChannels.open(new SocketPath(socket));
        try {
            CosiControllerGrpc.newBlockingStub(channel)
                    .createBucket(CreateBucketRequest.newBuilder()
                            .setBucketName(bucket)
                            .setRequestProtocol(DataProtocol.S3)
                            .putDriverParameters(ParameterKeys.CLUSTER, "cluster-1")
                            .putDriverParameters(ParameterKeys.OWNER_UID, "uid-1")
                            .build());
        } finally {
            channel.shutdownNow();
        }
    }

    /** The objects of {@code cosi.io} for that bucket. */
    private static CosiObjects ofCosiIo(String name, String driverName, String bucket) {
        BucketClass bucketClass = Serialization.unmarshal("""
                metadata: {name: %s}
                provisioner: store/%s
                protocol: s3
                """.formatted(name, driverName), BucketClass.class);
        BucketAccessClass accessClass =
                Serialization.unmarshal("""
                metadata: {name: %s}
                provisioner: store/%s
                protocol: s3
                """.formatted(name, driverName), BucketAccessClass.class);
        Bucket existing = Serialization.unmarshal("""
                metadata: {name: %s}
                spec:
                  provisioner: store/%s
                  releasePolicy: Delete
                  protocol: {protocolSignature: s3, s3: {endpoint: "http://s3.test", bucketName: %s}}
                """.formatted(name, driverName, bucket), Bucket.class);
        BucketRequest bound = Serialization.unmarshal("""
                metadata: {namespace: %1$s, name: %2$s}
                spec: {protocol: s3, bucketInstanceName: %1$s}
                """.formatted(name, "photos"), BucketRequest.class);
        BucketAccessRequest granted =
                Serialization.unmarshal("""
                metadata: {namespace: %1$s, name: %2$s}
                spec: {bucketRequestName: %3$s, bucketAccessClassName: %1$s}
                """.formatted(name, "viewer", "photos"), BucketAccessRequest.class);
        return new CosiObjects(
                List.of(bucketClass), List.of(accessClass), List.of(existing), List.of(bound), List.of(granted));
    }
}
