package io.bucketwright.store.gcs;

import io.bucketwright.store.contract.BucketStoreContract;
import io.bucketwright.testing.gcs.GcsServer;
import java.util.Map;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.parallel.ResourceAccessMode;
import org.junit.jupiter.api.parallel.ResourceLock;

/** The store for Google Cloud Storage with service account keys keeps the contract, on a strict server. */
@ExtendWith(GcsServer.Provider.class)
@ResourceLock(value = "gcs", mode = ResourceAccessMode.READ)
final class GcsServiceAccountKeysIT extends BucketStoreContract {

    GcsServiceAccountKeysIT(GcsServer server) {
        super(new StrictStore(server, Map.of("principalKeys", "serviceAccount")));
    }
}
