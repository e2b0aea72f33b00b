package io.bucketwright.cosi.controller.objects;

import io.bucketwright.api.cosi.BucketAccessRequest;
import io.bucketwright.api.cosi.CosiNames;
import io.bucketwright.runtime.objects.Metadata;
import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.api.model.OwnerReference;
import io.fabric8.kubernetes.api.model.Secret;
import io.fabric8.kubernetes.api.model.SecretBuilder;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HashMap;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * The Secrets of accesses as the cache keeps them. They are selected by label, and tenants can set that label on Secrets of
 * their own, so of each Secret only a bounded part is kept: the data of a provisioner's Secret of the usual size, and a digest
 * of the data of all others.
 */
public final class CachedSecret {

    /** Base64 characters; credentials of all known stores are shorter. The data of a longer Secret is read when needed. */
    private static final int LONGEST_DATA = 16 * 1024;

    private static final int LONGEST_UID = 64;
    private static final int MOST_OWNERS = 8;
    private static final String DIGEST = "sha256";

    private CachedSecret() {}

    /** What the cache keeps of the Secret. */
    static Secret trimmed(Secret secret) {
        boolean keepsData = isProvisioners(secret) && length(secret) <= LONGEST_DATA;
        return new SecretBuilder()
                .withNewMetadata()
                .withNamespace(secret.getMetadata().getNamespace())
                .withName(secret.getMetadata().getName())
                .withUid(secret.getMetadata().getUid())
                .withResourceVersion(secret.getMetadata().getResourceVersion())
                .withDeletionTimestamp(secret.getMetadata().getDeletionTimestamp())
                .withLabels(
                        only(Metadata.labels(secret), Set.of(CosiNames.BUCKET_ACCESS_UID, CosiNames.PROVISIONER_LABEL)))
                .withAnnotations(only(Metadata.annotations(secret), Set.of(CosiNames.BUCKET_ACCESS_UID)))
                .withOwnerReferences(owners(secret))
                .endMetadata()
                .withData(keepsData ? AccessSecrets.data(secret) : null)
                // The API server never returns this field, so nobody else can set it.
                .withStringData(keepsData ? null : Map.of(DIGEST, digest(secret)))
                .build();
    }

    /** Whether the Secret has its data; otherwise the cache has only a digest of it. */
    public static boolean isComplete(Secret secret) {
        return secret.getStringData() == null || !secret.getStringData().containsKey(DIGEST);
    }

    /** A text that is the same for the same data, whether the Secret is complete or not. */
    static String digest(Secret secret) {
        if (!isComplete(secret)) {
            return secret.getStringData().getOrDefault(DIGEST, "");
        }
        try {
            MessageDigest sha = MessageDigest.getInstance("SHA-256");
            new TreeMap<>(AccessSecrets.data(secret)).forEach((key, value) -> {
                sha.update((key + ":").getBytes(StandardCharsets.UTF_8));
                sha.update((value + ";").getBytes(StandardCharsets.UTF_8));
            });
            return HexFormat.of().formatHex(sha.digest());
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException("Every Java platform has SHA-256", e);
        }
    }

    /** Only a provisioner's Secret has the annotation, and only its data is copied. */
    private static boolean isProvisioners(Secret secret) {
        return !only(Metadata.annotations(secret), Set.of(CosiNames.BUCKET_ACCESS_UID))
                .isEmpty();
    }

    private static long length(Secret secret) {
        return AccessSecrets.data(secret).entrySet().stream()
                .mapToLong(entry ->
                        (long) entry.getKey().length() + entry.getValue().length())
                .sum();
    }

    private static Map<String, String> only(Map<String, String> all, Set<String> wanted) {
        Map<String, String> kept = new HashMap<>();
        for (String key : wanted) {
            @Nullable String value = all.get(key);
            if (value != null && value.length() <= LONGEST_UID) {
                kept.put(key, value);
            }
        }
        return kept;
    }

    private static List<OwnerReference> owners(Secret secret) {
        String kind = HasMetadata.getKind(BucketAccessRequest.class);
        return Metadata.owners(secret).stream()
                .filter(owner -> kind.equals(owner.getKind()))
                .limit(MOST_OWNERS)
                .toList();
    }
}
