package io.bucketwright.buckets.stores;

import static org.assertj.core.api.Assertions.assertThat;

import io.bucketwright.api.BucketClassRef;
import io.bucketwright.api.BucketIntent;
import io.bucketwright.api.BucketOrigin;
import io.bucketwright.api.ReclaimPolicy;
import io.bucketwright.buckets.classes.BucketClass;
import io.bucketwright.runtime.ManualLeadership;
import io.bucketwright.runtime.ManualTime;
import io.bucketwright.runtime.testing.InMemoryApiServer;
import io.bucketwright.runtime.testing.InMemoryProcess;
import io.bucketwright.store.Stores;
import io.bucketwright.store.gcs.GcsStoreFactory;
import io.fabric8.kubernetes.api.model.ObjectReference;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** How the parameters of a class are used together with those that are recorded. */
class StoreRoutesTest {

    private static final Map<String, String> SECRET = Map.of("secretName", "key", "secretNamespace", "system");

    private static BoundStore route(Map<String, String> recorded, Map<String, String> current) {
        BucketIntent intent = BucketIntent.of(
                "test.io/bucket",
                new BucketClassRef("fast", "first", recorded),
                new ObjectReference(),
                BucketOrigin.NEW,
                "photos",
                ReclaimPolicy.DELETE);
        BucketClass today = BucketClass.read(new BucketClassRef("fast", "second", current), "Delete");
        try (InMemoryProcess process =
                        new InMemoryProcess(new InMemoryApiServer(), new ManualTime(), new ManualLeadership());
                ClassStores stores = new ClassStores(
                        new Stores(List.of(new GcsStoreFactory())),
                        "gcs",
                        AdministratorSecrets.of(process.context()))) {
            return new StoreRoutes(stores, _ -> Optional.of(today)).of(intent);
        }
    }

    @Test
    void aProjectThatIsNotRecordedComesFromTheClass() {
        BoundStore route = route(
                SECRET,
                Map.of("credentials", "ambient", "project", "project-1", "location", "EU", "onNotEmpty", "purge"));
        assertThat(route.problem()).isEmpty();
        assertThat(route.changed().orElseThrow().reference().parameters())
                .containsEntry("credentials", "ambient")
                .containsEntry("project", "project-1")
                .doesNotContainKeys("location", "onNotEmpty", "secretName");
    }

    @Test
    void aRecordedProjectStays() {
        BoundStore route = route(
                Map.of("secretName", "key", "secretNamespace", "system", "project", "project-1"),
                Map.of("credentials", "ambient", "project", "project-2"));
        assertThat(route.changed().orElseThrow().reference().parameters()).containsEntry("project", "project-1");
    }

    @Test
    void whatDoesNotFitIsAProblemAndTheRecordStays() {
        BoundStore route = route(SECRET, Map.of("credentials", "ambient"));
        assertThat(route.changed()).isEmpty();
        assertThat(route.recorded().reference().parameters()).isEqualTo(SECRET);
        assertThat(route.problem()).contains("project is missing");
    }
}
