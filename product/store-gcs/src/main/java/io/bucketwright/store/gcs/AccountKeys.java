package io.bucketwright.store.gcs;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import io.bucketwright.store.StoreCall;
import io.bucketwright.store.connection.ConnectionDataKey;
import io.bucketwright.store.connection.Credentials;
import io.bucketwright.store.connection.SecretValue;
import io.bucketwright.store.errors.Absence;
import io.bucketwright.store.errors.StoreException.NotFound;
import io.bucketwright.store.errors.StoreException.Unavailable;
import java.nio.charset.StandardCharsets;
import java.util.Base64;
import java.util.List;
import java.util.Map;
import java.util.function.Predicate;

/**
 * Keys of service accounts, which clients of Google Cloud use. An access token that was issued for a key stays valid after
 * the key is deleted, for up to an hour: what ends access at once is the binding on the bucket, or disabling the account.
 */
record AccountKeys(GcsClient client, GcsParameters parameters) implements PrincipalKeys {

    @Override
    public List<String> list(StoreCall call, String email, Predicate<String> unwanted) {
        ApiRequest request = ApiRequest.of("list the keys of " + email, "GET", parameters.iamEndpoint(), path(email))
                .with("keyTypes", "USER_MANAGED");
        return client.send(call, request)
                .path("keys")
                .valueStream()
                .map(AccountKeys::id)
                .toList();
    }

    @Override
    public Credentials create(StoreCall call, String email) {
        ApiRequest request = ApiRequest.of("create a key for " + email, "POST", parameters.iamEndpoint(), path(email))
                .with(JsonNodeFactory.instance
                        .objectNode()
                        .put("privateKeyType", "TYPE_GOOGLE_CREDENTIALS_FILE")
                        .put("keyAlgorithm", "KEY_ALG_RSA_2048"));
        JsonNode key;
        try {
            key = client.send(call, request);
        } catch (NotFound notYetVisible) {
            throw new Unavailable(
                    notYetVisible.getMessage() + " A new service account can take a minute to appear.", notYetVisible);
        }
        String data = key.path("privateKeyData").asText("");
        if (id(key).isEmpty() || data.isEmpty()) {
            throw ErrorTranslation.unexpectedResponse(request);
        }
        String file = new String(Base64.getDecoder().decode(data), StandardCharsets.UTF_8);
        return new Credentials(
                id(key), Map.of(ConnectionDataKey.GOOGLE_SERVICE_ACCOUNT_JSON.key(), SecretValue.of(file)));
    }

    @Override
    public void delete(StoreCall call, String email, String id) {
        Absence.ignore(() -> client.send(
                call,
                ApiRequest.of(
                        "delete a key of " + email,
                        "DELETE",
                        parameters.iamEndpoint(),
                        path(email) + "/" + ApiRequest.encode(id))));
    }

    /** The service account is disabled instead, because tokens outlive their key. */
    @Override
    public void setActive(StoreCall call, String email, boolean active) {}

    /** The last part of the resource name. */
    private static String id(JsonNode key) {
        String name = key.path("name").asText("");
        return name.substring(name.lastIndexOf('/') + 1);
    }

    private String path(String email) {
        return "/v1/projects/" + ApiRequest.encode(parameters.project()) + "/serviceAccounts/"
                + ApiRequest.encode(email) + "/keys";
    }
}
