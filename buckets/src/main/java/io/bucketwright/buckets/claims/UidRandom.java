package io.bucketwright.buckets.claims;

import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.random.RandomGenerator;

/**
 * Characters for made-up names, drawn from the claim's uid, which the API server chose at random. So the name of a claim's
 * bucket is the same after a crash, nobody can know it before the claim is there, and nobody can choose a name that
 * passes for one made up for another claim.
 */
final class UidRandom implements RandomGenerator {

    private final String seed;
    private int counter;

    UidRandom(String clusterId, String uid) {
        this.seed = clusterId + "/" + uid;
    }

    @Override
    public long nextLong() {
        return ByteBuffer.wrap(sha256(seed + "/" + counter++)).getLong();
    }

    static byte[] sha256(String text) {
        try {
            return MessageDigest.getInstance("SHA-256").digest(text.getBytes(StandardCharsets.UTF_8));
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException("every Java has SHA-256", e);
        }
    }
}
