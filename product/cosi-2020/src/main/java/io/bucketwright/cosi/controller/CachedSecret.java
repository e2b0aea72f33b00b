package io.bucketwright.cosi.controller;

import io.bucketwright.api.cosi.BucketAccessRequest;
import io.bucketwright.api.cosi.CosiNames;
import io.bucketwright.runtime.objects.Metadata;
import io.bucketwright.runtime.objects.MetadataTrim;
import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.api.model.Secret;
import io.fabric8.kubernetes.api.model.SecretBuilder;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * The Secrets of accesses as the cache keeps them. They are selected by label, and tenants can set that label on Secrets of
 * their own, so of each Secret only a bounded part is kept: the data of a provisioner's Secret of the usual size, and a digest
 * of the data of all others.
 */
final class CachedSecret {

    /** Base64 characters; credentials of all known stores are shorter. The data of a longer Secret is read when needed. */
    private static final int LONGEST_DATA = 16 * 1024;

    private static final int LONGEST_UID = 64;
    private static final MetadataTrim METADATA = new MetadataTrim(
            HasMetadata.getKind(BucketAccessRequest.class),
            Set.of(CosiNames.BUCKET_ACCESS_UID, CosiNames.PROVISIONER_LABEL),
            Set.of(CosiNames.BUCKET_ACCESS_UID),
            LONGEST_UID);
    private static final String DIGEST = "sha256";

    private CachedSecret() {}

    /** What the cache keeps of the Secret. */
    static Secret trimmed(Secret secret) {
        boolean keepsData = isProvisioners(secret) && length(secret) <= LONGEST_DATA;
        return new SecretBuilder()
                .withMetadata(METADATA.of(secret))
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
        @Nullable String uid = Metadata.annotations(secret).get(CosiNames.BUCKET_ACCESS_UID);
        return uid != null && uid.length() <= LONGEST_UID;
    }

    private static long length(Secret secret) {
        return AccessSecrets.data(secret).entrySet().stream()
                .mapToLong(entry ->
                        (long) entry.getKey().length() + entry.getValue().length())
                .sum();
    }
}
