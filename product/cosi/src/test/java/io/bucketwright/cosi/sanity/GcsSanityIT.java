package io.bucketwright.cosi.sanity;

import static org.assertj.core.api.Assertions.assertThat;

import io.bucketwright.cosi.fixture.GcsStore;
import io.bucketwright.store.connection.SecretValue;
import io.bucketwright.testing.gcs.GcsServer;
import java.util.HashMap;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** The suite, and our driver, on a strict server of Google Cloud Storage. */
class GcsSanityIT extends SanityTestBase {

    private final GcsServer server = GcsServer.start();
    private final GcsStore store = new GcsStore(server);

    @AfterEach
    void stop() {
        server.close();
    }

    @Override
    String kind() {
        return "gcs";
    }

    @Override
    Map<String, String> parameters() {
        Map<String, String> parameters = new HashMap<>(server.parameters());
        parameters.put("principalKeys", "hmac");
        return parameters;
    }

    @Override
    Map<String, SecretValue> secrets() {
        return store.secrets();
    }

    @Test
    void ourDriverPassesWithHmacKeys() {
        assertPasses(parameters());
        assertThat(server.accounts()).isEmpty();
    }

    /** The suite signs no assertions, so it cannot use these keys. */
    @Test
    void ourDriverPassesWithServiceAccountKeys() {
        assertPasses(
                server.parameters(),
                Sanity.ids().stream()
                        .filter(id -> id.startsWith("credentials-"))
                        .toArray(String[]::new));
        assertThat(server.accounts()).isEmpty();
    }

    @Test
    void ourDriverPassesInTheReleasedDialect() {
        assertPassesReleased(parameters());
        assertThat(server.accounts()).isEmpty();
    }
}
