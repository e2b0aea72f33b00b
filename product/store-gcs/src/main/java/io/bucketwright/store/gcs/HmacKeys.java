package io.bucketwright.store.gcs;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import io.bucketwright.store.StoreCall;
import io.bucketwright.store.connection.Credentials;
import io.bucketwright.store.connection.SecretValue;
import io.bucketwright.store.errors.Absence;
import io.bucketwright.store.errors.StoreException.Invalid;
import io.bucketwright.store.errors.StoreException.NotFound;
import io.bucketwright.store.errors.StoreException.Unavailable;
import java.util.List;
import java.util.function.Predicate;

/** HMAC keys, which clients of S3 and of the XML API use. Only an inactive key can be deleted. */
record HmacKeys(GcsClient client, GcsParameters parameters) implements PrincipalKeys {

    private static final String ACTIVE = "ACTIVE";
    private static final String INACTIVE = "INACTIVE";
    private static final String DELETED = "DELETED";

    private record Key(String id, String state) {}

    @Override
    public List<String> list(StoreCall call, String email, Predicate<String> unwanted) {
        List<Key> keys = keys(call, email);
        for (Key key : keys) {
            if (unwanted.test(key.id()) && !key.state().equals(INACTIVE)) {
                disable(call, key.id());
            }
        }
        return keys.stream().map(Key::id).toList();
    }

    private void disable(StoreCall call, String id) {
        try {
            setState(call, id, INACTIVE);
        } catch (NotFound | Invalid cannotBeChanged) {
            // Its deletion tells whether it was deleted meanwhile.
        }
    }

    @Override
    public Credentials create(StoreCall call, String email) {
        ApiRequest request = ApiRequest.of("create an HMAC key for " + email, "POST", parameters.endpoint(), path())
                .with("serviceAccountEmail", email);
        JsonNode key;
        try {
            key = client.read(call, request, "storage#hmacKey");
        } catch (NotFound notYetVisible) {
            throw new Unavailable(
                    notYetVisible.getMessage() + " A new service account can take a minute to appear.", notYetVisible);
        }
        String id = key.path("metadata").path("accessId").asText("");
        String secret = key.path("secret").asText("");
        if (id.isEmpty() || secret.isEmpty()) {
            throw ErrorTranslation.unexpectedResponse(request);
        }
        return new Credentials.AccessKey(id, SecretValue.of(secret)).credentials();
    }

    @Override
    public void delete(StoreCall call, String email, String id) {
        try {
            client.send(
                    call,
                    ApiRequest.of(
                            "delete a key of " + email,
                            "DELETE",
                            parameters.endpoint(),
                            path() + "/" + ApiRequest.encode(id)));
        } catch (NotFound alreadyDeleted) {
            // Nothing to do.
        } catch (Invalid e) {
            switch (state(call, id)) {
                case DELETED -> {}
                case ACTIVE -> {
                    // The list did not show it.
                    setState(call, id, INACTIVE);
                    throw new Unavailable(e.getMessage() + " The key is disabled now, and is deleted later.", e);
                }
                // A change of the state takes up to three minutes, and only an inactive key can be deleted.
                case INACTIVE ->
                    throw new Unavailable(e.getMessage() + " The key is inactive, and is deleted later.", e);
                default -> throw e;
            }
        }
    }

    /** A deleted key is shown for some days, and cannot be changed. */
    private String state(StoreCall call, String id) {
        ApiRequest request =
                ApiRequest.of("read the key " + id, "GET", parameters.endpoint(), path() + "/" + ApiRequest.encode(id));
        return Absence.toEmpty(() -> client.read(call, request, "storage#hmacKeyMetadata"))
                .map(key -> key.path("state").asText(""))
                .orElse(DELETED);
    }

    @Override
    public void setActive(StoreCall call, String email, boolean active) {
        String wanted = active ? ACTIVE : INACTIVE;
        for (Key key : keys(call, email)) {
            if (!key.state().equals(wanted)) {
                setState(call, key.id(), wanted);
            }
        }
    }

    private void setState(StoreCall call, String id, String state) {
        client.send(
                call,
                ApiRequest.of(
                                "change the state of the key " + id,
                                "PUT",
                                parameters.endpoint(),
                                path() + "/" + ApiRequest.encode(id))
                        .with(JsonNodeFactory.instance.objectNode().put("state", state)));
    }

    private List<Key> keys(StoreCall call, String email) {
        ApiRequest request = ApiRequest.of("list the keys of " + email, "GET", parameters.endpoint(), path())
                .with("serviceAccountEmail", email);
        return client.pages(call, request, "storage#hmacKeysMetadata")
                .flatMap(page -> page.path("items").valueStream())
                .map(item -> new Key(
                        item.path("accessId").asText(), item.path("state").asText("")))
                .toList();
    }

    private String path() {
        return "/storage/v1/projects/" + ApiRequest.encode(parameters.project()) + "/hmacKeys";
    }
}
