package io.bucketwright.cosi.sanity;

import io.bucketwright.cosi.fixture.AzureStore;
import io.bucketwright.local.stores.LocalStore;
import io.bucketwright.local.stores.StoreKind;
import io.bucketwright.store.connection.SecretValue;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** The suite, and our driver, on Azurite. */
class AzureSanityIT extends SanityTestBase {

    private final LocalStore server = LocalStore.start(StoreKind.AZURE);
    private final AzureStore store = new AzureStore(server.access());

    @AfterEach
    void stop() {
        server.close();
    }

    @Override
    String kind() {
        return "azure";
    }

    @Override
    Map<String, String> parameters() {
        return store.parameters();
    }

    @Override
    Map<String, SecretValue> secrets() {
        return store.secrets();
    }

    @Test
    void ourDriverPasses() {
        assertPasses(parameters());
    }

    @Test
    void ourDriverPassesInTheReleasedDialect() {
        assertPassesReleased(parameters());
    }
}
