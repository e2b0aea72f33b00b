package io.bucketwright.buckets.objects;

import io.bucketwright.api.ObjectBucketNames;
import io.bucketwright.runtime.objects.Metadata;
import io.bucketwright.store.connection.ConnectionData;
import io.fabric8.kubernetes.api.model.HasMetadata;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * What an annotation of the Secret says about the credentials in it. Pods may use them before the ObjectBucket records them,
 * so after a crash the store must not delete their key. The annotation belongs to the tenant: nothing but the validity of
 * its own keys depends on it.
 *
 * @param bucketUid the uid of the ObjectBucket for which they were issued: those of a former one can have been revoked
 * @param keyId the id of the key; empty if the store has no ids
 * @param digest the digest of the content
 * @param keys the keys of the Secret that the controller wrote
 * @param replacedKey the id of the key that the ObjectBucket recorded when this was written; empty if none
 * @param issuer the administrator's key that they are made of; empty if they are not, or if it is unknown
 */
public record IssuedCredentials(
        String bucketUid, String keyId, String digest, Set<String> keys, String replacedKey, String issuer) {

    static final String ANNOTATION = ObjectBucketNames.PREFIX + "issued-credentials";
    private static final int PARTS = 6;

    public static IssuedCredentials of(RecordedBucket bucket, String keyId, ConnectionData data, String issuer) {
        Map<String, String> digests = ContentDigest.ofSecret(data.secret());
        return new IssuedCredentials(
                bucket.object().getMetadata().getUid(),
                keyId,
                ContentDigest.of(digests),
                digests.keySet(),
                bucket.grants().keyId(),
                issuer);
    }

    /** The recorded credentials, beside other data. */
    public static IssuedCredentials of(RecordedBucket bucket, ConnectionData data) {
        return of(bucket, bucket.grants().keyId(), data, bucket.grants().issuer());
    }

    /** Empty if the Secret has no such annotation, or a malformed one. */
    public static Optional<IssuedCredentials> in(HasMetadata secret) {
        String[] parts = Metadata.annotation(secret, ANNOTATION).split(" ", PARTS);
        return parts.length == PARTS
                ? Optional.of(new IssuedCredentials(
                        parts[0],
                        parts[1],
                        parts[2],
                        Stream.of(parts[3].split(",", -1)).collect(Collectors.toUnmodifiableSet()),
                        parts[4],
                        parts[5]))
                : Optional.empty();
    }

    public Map<String, String> annotations() {
        String names = String.join(",", new TreeSet<>(keys));
        return Map.of(ANNOTATION, String.join(" ", bucketUid, keyId, digest, names, replacedKey, issuer));
    }

    /** Whether these are other credentials for the same ObjectBucket, under the same names in the Secret. */
    public boolean replaces(IssuedCredentials others) {
        return !keyId.equals(others.keyId) && bucketUid.equals(others.bucketUid) && keys.equals(others.keys);
    }

    /** Whether the Secret still holds these credentials. */
    public boolean matches(ChildObject.Owned<?> secret) {
        return digest.equals(secret.digest(keys));
    }
}
