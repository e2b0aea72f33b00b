package io.bucketwright.store.s3.ceph;

import io.bucketwright.store.connection.Credentials;
import io.bucketwright.store.connection.SecretValue;
import io.bucketwright.store.s3.identity.JsonText;
import java.util.List;
import java.util.stream.Stream;
import software.amazon.awssdk.protocols.jsoncore.JsonNode;

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
        String uid = JsonText.text(user, "user_id");
        return new CephUser(
                uid,
                JsonText.text(user, "display_name"),
                !user.field("suspended").map(JsonNode::text).orElse("0").equals("0"),
                isPrivileged(user),
                user.field("keys").map(keys -> keys(uid, keys)).orElse(List.of()));
    }

    private static boolean isPrivileged(JsonNode user) {
        boolean capable = user.field("caps")
                .filter(caps -> !caps.isArray() || !caps.asArray().isEmpty())
                .isPresent();
        // The gateway writes these fields only if they are true, as a Boolean or as text.
        return capable
                || Stream.of("admin", "system")
                        .flatMap(flag -> user.field(flag).stream())
                        .anyMatch(flag -> !"false".equals(flag.text()));
    }

    /** The keys of a user in a list that also has those of its subusers. */
    static List<Credentials.AccessKey> keys(String uid, JsonNode keys) {
        return keys.asArray().stream()
                .filter(key -> JsonText.text(key, "user").equals(uid))
                .map(key -> new Credentials.AccessKey(
                        JsonText.text(key, "access_key"), SecretValue.of(JsonText.text(key, "secret_key"))))
                .toList();
    }
}
