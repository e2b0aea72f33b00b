package io.bucketwright.cosi.upstream;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.databind.JsonNode;
import io.bucketwright.api.objectstorage.ReleasedNames;
import io.bucketwright.local.AddOn;
import io.bucketwright.testing.OnCluster;
import io.bucketwright.testing.TestCluster;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import software.amazon.awssdk.services.s3.S3Client;
import software.amazon.awssdk.services.s3.model.S3Exception;

/** Our driver behind the controller and the sidecar of the reference implementation. */
@OnCluster(with = AddOn.S3, own = true)
class UpstreamCosiIT {

    @TempDir
    private Path folder;

    @Test
    void theSidecarOfTheReferenceDrivesOurStores(TestCluster cluster) {
        try (ReleasedBench bench = new ReleasedBench(cluster, folder);
                UpstreamCosi upstream = new UpstreamCosi(cluster.namespace(), folder)) {
            upstream.startController(cluster.user("upstream-controller"));
            upstream.startSidecar(cluster.user("upstream-sidecar"), bench.socket());
            bench.claim("photos", bench.bucketClass("Delete"));
            bench.awaitReady("photos");
            bench.access("viewer", "photos", bench.accessClass());
            bench.awaitGranted("viewer");

            String bucket = bench.bucketOf("photos").getMetadata().getName();
            String account = ReleasedNames.accountOf(
                    bench.accessed("viewer").getMetadata().getUid());
            assertThat(bench.bucketOf("photos").status().bucketID()).isEqualTo(bucket);
            assertThat(bench.accessed("viewer").status().accountID()).isEqualTo(account);
            JsonNode info = bench.bucketInfo("viewer");
            assertThat(info.path("bucketName").asText()).isEqualTo(bucket);
            bench.useBucket("viewer", "through the reference implementation");

            bench.deleteBoth("photos", "viewer");
            assertThat(bench.inStore(bucket)).isEmpty();
            try (S3Client application = bench.application(info)) {
                assertThatThrownBy(application::listBuckets).isInstanceOf(S3Exception.class);
            }
        }
    }
}
