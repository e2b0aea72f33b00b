package io.bucketwright.buckets.stores;

import static org.assertj.core.api.Assertions.assertThat;

import io.bucketwright.runtime.ManualLeadership;
import io.bucketwright.runtime.ManualTime;
import io.bucketwright.runtime.testing.InMemoryApiServer;
import io.bucketwright.runtime.testing.InMemoryProcess;
import io.bucketwright.store.Stores;
import io.bucketwright.store.none.NoneStoreFactory;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class ClassStoresTest {

    @Test
    void aRecordedParameterThatThisReleaseDoesNotKnowIsIgnored() {
        try (InMemoryProcess process =
                        new InMemoryProcess(new InMemoryApiServer(), new ManualTime(), new ManualLeadership());
                ClassStores stores = new ClassStores(
                        new Stores(List.of(new NoneStoreFactory())),
                        "none",
                        AdministratorSecrets.of(process.context()))) {
            assertThat(stores.known(Map.of("retryMode", "standard", "bucketName", "photos")))
                    .isEqualTo(Map.of("bucketName", "photos"));
            assertThat(stores.connectionNames())
                    .contains("secretName", "secretNamespace")
                    .doesNotContain("bucketName");
        }
    }
}
