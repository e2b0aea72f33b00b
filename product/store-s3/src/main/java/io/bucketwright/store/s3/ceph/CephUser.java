package io.bucketwright.store.s3.ceph;

import com.fasterxml.jackson.databind.JsonNode;
import io.bucketwright.store.connection.Credentials;
import io.bucketwright.store.connection.SecretValue;
import java.util.List;
import java.util.stream.Stream;

/**
 * A user of the gateway.
 *
 * @param displayName a text that the gateway does not interpret; that of a principal names its owner
 * @param privileged whether it has capabilities, or is an administrator or a user of the gateway itself
 * @param keys the keys of the user itself, without those of its subusers
 */
record CephUser(
        String uid, String displayName, boolean suspended, boolean privileged, List<Credentials.AccessKey> keys) {

    static CephUser read(JsonNode user) {
        String uid = user.path("user_id").asText("");
        return new CephUser(
                uid,
                user.path("display_name").asText(""),
                !user.path("suspended").asText("0").equals("0"),
                isPrivileged(user),
                keys(uid, user.path("keys")));
    }

    private static boolean isPrivileged(JsonNode user) {
        JsonNode capabilities = user.path("caps");
        boolean capable = user.has("caps") && !(capabilities.isArray() && capabilities.isEmpty());
        // The gateway writes these fields only if they are true, as a Boolean or as text.
        return capable
                || Stream.of("admin", "system")
                        .filter(user::has)
                        .anyMatch(flag -> !user.path(flag).asText("").equals("false"));
    }

    /** The keys of a user in a list that also has those of its subusers. */
    static List<Credentials.AccessKey> keys(String uid, JsonNode keys) {
        return keys.valueStream()
                .filter(key -> key.path("user").asText("").equals(uid))
                .map(key -> new Credentials.AccessKey(
                        key.path("access_key").asText(""),
                        SecretValue.of(key.path("secret_key").asText(""))))
                .toList();
    }
}
