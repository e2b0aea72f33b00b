package io.bucketwright.app.scenarios;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.bucketwright.api.cosi.BucketAccessRequest;
import io.bucketwright.api.cosi.BucketRequest;
import io.bucketwright.api.cosi.status.BucketAccessRequestPhase;
import io.bucketwright.local.stores.LocalStore;
import io.bucketwright.testing.OnCluster;
import io.bucketwright.testing.TestCluster;
import java.nio.file.Path;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.api.parallel.ResourceLock;
import software.amazon.awssdk.core.sync.RequestBody;
import software.amazon.awssdk.services.s3.S3Client;
import software.amazon.awssdk.services.s3.model.S3Exception;

/** The commands of docs/cosi.md with the permissions of deploy/, and examples/cosi by kubectl. */
@OnCluster
@ResourceLock(CosiCommands.LOCK)
class CosiExamplesIT {

    @TempDir
    private Path folder;

    @Test
    void theExamplesBindAndAreDeletedWithTheDocumentedCommandsAndPermissions(TestCluster cluster) throws Exception {
        try (LocalStore store = LocalStore.start();
                StoreView view = new StoreView(store.access());
                CosiCommands cosi = new CosiCommands(cluster, store.access(), folder)) {
            cosi.startWithDriver();
            cosi.kubectl("apply", "-f", "../../examples/cosi/1-bucket-class.yaml");
            cosi.kubectl("apply", "-f", "../../examples/cosi/2-bucket-access-class.yaml");
            cosi.kubectl("apply", "-f", "../../examples/cosi/3-bucket-request.yaml");
            cosi.kubectl("apply", "-f", "../../examples/cosi/4-bucket-access-request.yaml");
            Scenario.await("viewer to be Bound").until(() -> viewer(cluster).phase() == BucketAccessRequestPhase.BOUND);
            Map<String, String> keys = cosi.secret("default", "photos-viewer");
            String bucket = keys.getOrDefault("BUCKET_NAME", "");
            assertThat(bucket).startsWith("photos-");
            try (S3Client application = StoreView.application(keys, keys)) {
                assertThat(application.listObjectsV2(it -> it.bucket(bucket)).contents())
                        .isEmpty();
                assertThatThrownBy(() -> application.putObject(
                                it -> it.bucket(bucket).key("hello"), RequestBody.fromString("no")))
                        .as("the class grants reading")
                        .isInstanceOf(S3Exception.class);
            }
            cosi.kubectl("delete", "-f", "../../examples/cosi/4-bucket-access-request.yaml");
            cosi.kubectl("delete", "-f", "../../examples/cosi/3-bucket-request.yaml");
            Scenario.await("the request to be deleted")
                    .until(() -> cluster.admin()
                            .resources(BucketRequest.class)
                            .inNamespace("default")
                            .list()
                            .getItems()
                            .isEmpty());
            assertThat(view.buckets()).isEmpty();
            assertThat(view.users()).isEmpty();
            assertThat(cosi.logs())
                    .contains("Started")
                    .doesNotContain(
                            keys.getOrDefault("AWS_SECRET_ACCESS_KEY", "?"),
                            store.access().secretAccessKey());
            cosi.kubectl("delete", "-f", "../../examples/cosi/1-bucket-class.yaml");
            cosi.kubectl("delete", "-f", "../../examples/cosi/2-bucket-access-class.yaml");
        }
    }

    private static BucketAccessRequest viewer(TestCluster cluster) {
        return cluster.admin()
                .resources(BucketAccessRequest.class)
                .inNamespace("default")
                .withName("viewer")
                .require();
    }
}
