package io.bucketwright.store.azure;

import io.bucketwright.store.contract.BucketStoreContract;
import org.junit.jupiter.api.extension.ExtendWith;

/** The store for Azure keeps the contract, on a real Azurite. */
@ExtendWith(Azurite.Provider.class)
final class AzuriteIT extends BucketStoreContract {

    AzuriteIT(Azurite azurite) {
        super(new AzuriteUnderTest(azurite));
    }
}
