package io.bucketwright.app.claim;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.bucketwright.api.BucketClassRef;
import io.bucketwright.api.cosi.Bucket;
import io.bucketwright.api.cosi.Protocol;
import io.bucketwright.app.command.CommandException;
import io.bucketwright.buckets.classes.BucketClass;
import io.bucketwright.buckets.stores.SingleStore;
import io.bucketwright.store.ListedBucket;
import io.bucketwright.store.StoreCall;
import io.bucketwright.store.access.BucketName;
import io.bucketwright.store.access.BucketOwner;
import io.bucketwright.store.access.ClaimIdentity;
import io.bucketwright.store.access.OwnershipTags;
import io.bucketwright.store.observation.MeasuredStore;
import io.bucketwright.store.observation.StoreObserver;
import io.fabric8.kubernetes.client.utils.Serialization;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.junit.jupiter.api.Test;

/** In which order a command releases the bucket of a claim that no longer exists. */
class FormerOwnerTest {

    private static final Duration ENDING = Duration.ofMinutes(7);
    private static final BucketOwner LOST = new BucketOwner("cluster", "lost");

    private final List<String> calls = new ArrayList<>();
    private final List<Bucket> users = new ArrayList<>();
    private Duration ending = ENDING;
    private Runnable meanwhile = () -> {};

    private FormerOwner former() {
        BucketClass bucketClass = BucketClass.read(new BucketClassRef("fast", "uid", Map.of()), "Delete");
        SingleStore stores = new SingleStore(new MeasuredStore("test", new OneBucket(), StoreObserver.none()));
        return new FormerOwner(
                "cluster",
                stores,
                bucketClass,
                new BucketName("photos"),
                () -> new BucketUsers(
                        "cluster", bucketClass, stores, List.of(), List.of(), List.copyOf(users), List.of()),
                duration -> {
                    calls.add("wait " + duration.toSeconds());
                    meanwhile.run();
                });
    }

    @Test
    void othersGetTheBucketWhenTheServiceRefusesTheFormerKeys() throws InterruptedException {
        assertThat(former().releaseOrphan()).contains(LOST);
        assertThat(calls).containsExactly("revoke", "wait 420", "revoke", "release");
    }

    @Test
    void nobodyWaitsForAServiceThatRefusesThemAtOnce() throws InterruptedException {
        ending = Duration.ZERO;
        assertThat(former().releaseFrom("cluster")).contains(LOST);
        assertThat(calls).containsExactly("revoke", "release");
    }

    @Test
    void whatBeginsToUseTheBucketWhileTheCommandWaitsKeepsIt() {
        meanwhile = () -> users.add(Serialization.unmarshal("""
                apiVersion: cosi.io/v1alpha1
                kind: Bucket
                metadata: {name: theirs}
                spec: {protocol: {protocolSignature: "%s", s3: {bucketName: photos}}}
                """.formatted(Protocol.S3.text()), Bucket.class));
        assertThatThrownBy(() -> former().releaseOrphan())
                .isInstanceOf(CommandException.class)
                .hasMessageContaining("Bucket of cosi.io theirs");
        assertThat(calls).containsExactly("revoke", "wait 420");
    }

    private final class OneBucket extends StubStore {

        @Override
        public Duration accessEndsWithin() {
            return ending;
        }

        @Override
        public Optional<ListedBucket> findBucket(StoreCall call, BucketName bucket) {
            return Optional.of(new ListedBucket(
                    bucket.text(), new OwnershipTags.Owned(LOST, ClaimIdentity.NONE), Optional.empty()));
        }

        @Override
        public void revoke(StoreCall call, BucketName bucket, BucketOwner owner, Set<String> keys) {
            calls.add("revoke");
        }

        @Override
        public void release(StoreCall call, BucketName bucket, BucketOwner owner) {
            calls.add("release");
        }
    }
}
