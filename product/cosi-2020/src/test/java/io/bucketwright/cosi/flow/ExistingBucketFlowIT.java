package io.bucketwright.cosi.flow;

import static org.assertj.core.api.Assertions.assertThat;

import io.bucketwright.api.cosi.Bucket;
import io.bucketwright.api.cosi.BucketProtocol;
import io.bucketwright.api.cosi.BucketProtocol.S3Bucket;
import io.bucketwright.api.cosi.BucketSpec;
import io.bucketwright.api.cosi.CosiNames;
import io.bucketwright.api.cosi.status.BucketPhase;
import io.bucketwright.cosi.fixture.S3Store;
import io.bucketwright.cosi.fixture.Specs;
import io.bucketwright.cosi.sidecar.SidecarFixture;
import io.bucketwright.local.AddOn;
import io.bucketwright.testing.Eventually;
import io.bucketwright.testing.OnCluster;
import io.bucketwright.testing.TestCluster;
import io.fabric8.kubernetes.api.model.ObjectMetaBuilder;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import software.amazon.awssdk.core.sync.RequestBody;
import software.amazon.awssdk.services.s3.S3Client;

/** Buckets that exist before, or after, somebody uses them: what COSI fills in, and to whom they are open. */
@OnCluster(with = AddOn.S3, own = true)
class ExistingBucketFlowIT {

    @TempDir
    private Path folder;

    @Test
    void aRetainedBucketIsClosedToAnonymousClientsUntilItIsUsedAgain(TestCluster cluster) {
        try (Flow flow = new Flow(cluster, folder);
                HttpClient anonymous = HttpClient.newHttpClient()) {
            flow.controller(cluster.user("anonymous-cosi"));
            flow.sidecar(SidecarFixture.deployed(cluster, "anonymous-sidecar"));
            String bucketClass = flow.bucketClass("public", open -> {
                open.setParameters(Map.of(CosiNames.PROVISIONER_SECRET_NAME, "administrator"));
                open.setReleasePolicy("Retain");
                open.setAnonymousAccessMode("ro");
            });
            String accessClass = flow.accessClass();
            flow.bind("site", "site", bucketClass, accessClass);
            Map<String, String> credentials = flow.credentials("site");
            write(credentials);
            assertThat(status(anonymous, credentials)).isEqualTo(200);

            Bucket bucket = flow.bucketOf("site");
            flow.deleteBoth("site", "site");
            Eventually.await("the release of the Bucket")
                    .until(() -> flow.buckets().getFirst().phase() == BucketPhase.RELEASED);
            assertThat(status(anonymous, credentials)).isEqualTo(403);

            flow.createRequest(
                    flow.namespace(),
                    "again",
                    "bucketInstanceName",
                    bucket.getMetadata().getName());
            flow.access("again", "again", accessClass);
            flow.awaitAccess("again");
            Eventually.await("anonymous access").until(() -> status(anonymous, credentials) == 200);

            flow.deleteBoth("again", "again");
            Eventually.await("the end of anonymous access").until(() -> status(anonymous, credentials) == 403);
        }
    }

    @Test
    void aBucketOfAnAdministratorNeedsOnlyItsName(TestCluster cluster) {
        try (Flow flow = new Flow(cluster, folder);
                S3Client administrator = flow.administrator()) {
            flow.controller(cluster.user("existing-cosi"));
            flow.sidecar(SidecarFixture.deployed(cluster, "existing-sidecar"));
            String name = "existing-" + cluster.namespace();
            administrator.createBucket(it -> it.bucket(name));
            Bucket existing = new Bucket();
            existing.setMetadata(new ObjectMetaBuilder().withName(name).build());
            existing.setSpec(Specs.of(
                    BucketSpec.class,
                    "provisioner",
                    flow.provisioner.toString(),
                    "anonymousAccessMode",
                    "ro",
                    "protocol",
                    new BucketProtocol("s3", null, new S3Bucket("", name, "", ""), null),
                    "parameters",
                    Map.of(CosiNames.PROVISIONER_SECRET_NAME, "administrator"),
                    "permittedNamespaces",
                    List.of(flow.permitted(flow.namespace()))));
            flow.create(existing);
            flow.createRequest(flow.namespace(), "archive", "bucketInstanceName", name);
            flow.access("archive", "archive", flow.accessClass());
            flow.awaitAccess("archive");
            flow.awaitBound("archive");
            Map<String, String> credentials = flow.credentials("archive");
            write(credentials);

            Eventually.await("the connection data of the driver").untilAsserted(() -> {
                Bucket completed = flow.buckets().getFirst();
                assertThat(completed.getSpec().protocol().hasAddress()).isTrue();
                assertThat(completed.getSpec().protocol().s3())
                        .hasToString(new S3Bucket(
                                        credentials.getOrDefault("BUCKET_ENDPOINT", ""),
                                        name,
                                        credentials.getOrDefault("BUCKET_REGION", ""),
                                        "")
                                .toString());
                assertThat(completed.status().message()).contains("anonymousAccessMode ro is not applied");
            });
            flow.deleteBoth("archive", "archive");
        }
    }

    private static void write(Map<String, String> credentials) {
        try (S3Client application = S3Store.application(credentials)) {
            application.putObject(
                    it -> it.bucket(credentials.getOrDefault("BUCKET_NAME", "")).key("hello"),
                    RequestBody.fromString("world"));
        }
    }

    private static int status(HttpClient client, Map<String, String> credentials) {
        URI object = URI.create(credentials.getOrDefault("BUCKET_ENDPOINT", "") + "/"
                + credentials.getOrDefault("BUCKET_NAME", "") + "/hello");
        try {
            return client.send(HttpRequest.newBuilder(object).build(), BodyHandlers.discarding())
                    .statusCode();
        } catch (IOException e) {
            throw new AssertionError(object.toString(), e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new AssertionError(e);
        }
    }
}
