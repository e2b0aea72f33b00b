package io.bucketwright.buckets.requests;

import java.nio.ByteBuffer;
import java.util.random.RandomGenerator;

/**
 * Random characters for generated bucket names, derived from the claim's uid, which the API server chose at random. The
 * name is therefore the same after a crash, nobody can predict it before the claim exists, and nobody can choose a name
 * that looks as if it had been generated for another claim.
 */
public final class UidRandom implements RandomGenerator {

    private final String seed;
    private int counter;

    public UidRandom(String clusterId, String uid) {
        this.seed = clusterId + "/" + uid;
    }

    @Override
    public long nextLong() {
        return ByteBuffer.wrap(ContentDigest.sha256(seed + "/" + counter++)).getLong();
    }
}
