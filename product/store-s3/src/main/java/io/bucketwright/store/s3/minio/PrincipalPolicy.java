package io.bucketwright.store.s3.minio;

import com.fasterxml.jackson.databind.JsonNode;
import io.bucketwright.store.access.Access;
import io.bucketwright.store.access.BucketName;
import io.bucketwright.store.s3.identity.AccessPolicy;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * The policy of a principal, which also records the ids of the keys that it may have: MinIO encrypts lists of keys. An id is
 * recorded before the request for its key, so that a key is found that nobody received.
 */
final class PrincipalPolicy {

    /** What the id of the last statement starts with; the ids of the keys follow. */
    private static final String KEYS = "BucketwrightKeys";

    private PrincipalPolicy() {}

    /**
     * The policy with this access and a record of these keys. Every user of MinIO may create keys for itself unless that is
     * denied, and so could keep access after the known keys are deleted.
     */
    static String document(BucketName bucket, Access access, Set<String> keys) {
        String document = AccessPolicy.document(bucket, access.prefix().isEmpty() ? access : withoutUploads(access));
        String noAdministration = "{\"Sid\":\"" + sid(keys) + "\",\"Effect\":\"Deny\",\"Action\":[\"admin:*\"]}";
        return document.substring(0, document.length() - "]}".length()) + "," + noAdministration + "]}";
    }

    /** The ids of the keys that a policy records, oldest first. A tenant cannot choose the id of a statement. */
    static Set<String> keys(JsonNode document) {
        return document.path("Statement")
                .valueStream()
                .map(statement -> statement.path("Sid").asText(""))
                .filter(sid -> sid.startsWith(KEYS))
                .flatMap(sid -> Stream.of(sid.substring(KEYS.length()).split("-")))
                .filter(id -> !id.isEmpty())
                .collect(Collectors.toCollection(LinkedHashSet::new));
    }

    /** The same policy with a record of other keys. */
    static String withKeys(JsonNode document, Set<String> keys) {
        return document.toString().replace("\"" + sid(keys(document)) + "\"", "\"" + sid(keys) + "\"");
    }

    private static String sid(Set<String> keys) {
        return Stream.concat(Stream.of(KEYS), keys.stream()).collect(Collectors.joining("-"));
    }

    /** MinIO cannot restrict a list of uploads to a prefix. */
    private static Access withoutUploads(Access access) {
        Set<String> denied = new HashSet<>(access.deny());
        denied.add("s3:ListBucketMultipartUploads");
        return access.withActions(access.allow(), denied);
    }
}
