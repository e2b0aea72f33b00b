package io.bucketwright.store.azure;

import io.bucketwright.local.stores.LocalStore;
import io.bucketwright.local.stores.StoreAccess;
import io.bucketwright.local.stores.StoreKind;
import io.bucketwright.store.AdministratorSecret;
import io.bucketwright.store.connection.SecretValue;
import io.bucketwright.store.contract.SharedServer;
import io.bucketwright.store.http.HttpTransport;
import java.util.HashMap;
import java.util.Map;

/** A real Azurite, started once for all tests of this JVM. */
record Azurite(LocalStore server, StoreAccess access) implements AutoCloseable {

    static Azurite start() {
        LocalStore server = LocalStore.start(StoreKind.AZURE);
        return new Azurite(server, server.access());
    }

    Map<String, String> parameters() {
        Map<String, String> parameters = new HashMap<>();
        parameters.put("storageAccount", access.accessKeyId());
        // The endpoint without the account.
        parameters.put("endpoint", access.iamEndpoint());
        return parameters;
    }

    String key() {
        return access.secretAccessKey();
    }

    AdministratorSecret administrator() {
        return secret(key());
    }

    static AdministratorSecret secret(String key) {
        return new AdministratorSecret(Map.of("AZURE_STORAGE_KEY", SecretValue.of(key)));
    }

    /** The administrator's client, as the store uses it. */
    BlobService service() {
        AzureParameters parsed = AzureParameters.of(AzureParameters.schema().parse(parameters()));
        return new BlobService(
                parsed.serviceUrl(),
                new SharedKey(parsed.account(), SecretValue.of(key())),
                new HttpTransport(parsed.connection()));
    }

    @Override
    public void close() {
        server.close();
    }

    /** Resolves the server as a parameter of tests. */
    static final class Provider extends SharedServer<Azurite> {
        Provider() {
            super(Azurite.class, Azurite::start);
        }
    }
}
