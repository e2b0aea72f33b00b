package io.bucketwright.app.claim;

import static org.assertj.core.api.Assertions.assertThat;

import io.bucketwright.api.BucketClassRef;
import io.bucketwright.api.ObjectBucket;
import io.bucketwright.buckets.classes.BucketClass;
import io.bucketwright.buckets.stores.ClassStore;
import io.bucketwright.buckets.stores.StoreSource;
import io.bucketwright.store.BucketStore;
import io.bucketwright.store.ListedBucket;
import io.bucketwright.store.StoreCall;
import io.bucketwright.store.access.BucketName;
import io.bucketwright.store.access.BucketOwner;
import io.bucketwright.store.access.ClaimIdentity;
import io.bucketwright.store.access.OwnershipTags;
import io.bucketwright.store.errors.StoreException.Unavailable;
import io.bucketwright.store.observation.MeasuredStore;
import io.bucketwright.store.observation.StoreObserver;
import io.fabric8.kubernetes.client.utils.Serialization;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.BiFunction;
import org.junit.jupiter.api.Test;

/** What counts as a user of a bucket: without proof that it is another bucket, everything with its name. */
class BucketUsersTest {

    private static final String HERE = "http://minio.svc:9000";
    private static final String THERE = "https://public.test";
    private static final OwnershipTags LOST =
            new OwnershipTags.Owned(new BucketOwner("cluster", "lost"), ClaimIdentity.NONE);

    /** The ownership tags of the bucket at each address; none there is one without the bucket. */
    private final Map<String, OwnershipTags> addresses = new HashMap<>(Map.of(HERE, LOST));

    private List<String> users(ObjectBucket... buckets) {
        BucketClass here = BucketClass.read(new BucketClassRef("here", "uid", Map.of("endpoint", HERE)), "Delete");
        return new BucketUsers(
                        "cluster", here, new Addresses(addresses), List.of(), List.of(buckets), List.of(), List.of())
                .of("photos", LOST);
    }

    /** As the provisioners of Rook and NooBaa write it. */
    @Test
    void anObjectBucketOfAnotherProvisionerIsAUser() {
        ObjectBucket foreign = yaml("""
                apiVersion: objectbucket.io/v1alpha1
                kind: ObjectBucket
                metadata: {name: obc-shop-theirs}
                spec: {endpoint: {bucketHost: rook-ceph-rgw.svc, bucketName: photos}}
                """);
        assertThat(users(foreign)).containsExactly("ObjectBucket obc-shop-theirs");
        assertThat(users(yaml(Serialization.asYaml(foreign).replace("photos", "others"))))
                .isEmpty();
    }

    @Test
    void anObjectBucketWhoseStoreHasTheSameBucketAtAnotherAddressIsAUser() {
        addresses.put(THERE, LOST);
        assertThat(users(through(THERE))).singleElement().asString().contains("shop/guest");
    }

    @Test
    void anObjectBucketIsAUserUnlessItsStoreShowsThatItIsAnotherBucket() {
        assertThat(users(through("unreachable"))).hasSize(1);
        addresses.put(THERE, new OwnershipTags.Unreadable());
        assertThat(users(through(THERE))).hasSize(1);
        addresses.put(THERE, new OwnershipTags.Owned(new BucketOwner("cluster", "another"), ClaimIdentity.NONE));
        assertThat(users(through(THERE))).isEmpty();
        addresses.remove(THERE);
        assertThat(users(through(THERE))).isEmpty();
    }

    @Test
    void twoBucketsWithoutTagsMayBeTheSame() {
        addresses.put(HERE, new OwnershipTags.Untagged());
        addresses.put(THERE, new OwnershipTags.Untagged());
        BucketClass here = BucketClass.read(new BucketClassRef("here", "uid", Map.of("endpoint", HERE)), "Delete");
        assertThat(new BucketUsers(
                                "cluster",
                                here,
                                new Addresses(addresses),
                                List.of(),
                                List.of(through(THERE)),
                                List.of(),
                                List.of())
                        .of("photos", new OwnershipTags.Untagged()))
                .hasSize(1);
    }

    private static ObjectBucket through(String endpoint) {
        return yaml("""
                apiVersion: objectbucket.io/v1alpha1
                kind: ObjectBucket
                metadata: {name: obc-shop-guest}
                spec:
                  intent:
                    version: 1
                    provisioner: bucketwright.io/bucket
                    claimNamespace: shop
                    claimName: guest
                    claimUid: uid-of-guest
                    bucketName: photos
                    origin: Existing
                    storageClassName: there
                    storageClassUid: uid
                    parameters: {endpoint: "%s", bucketName: photos}
                """.formatted(endpoint));
    }

    private static ObjectBucket yaml(String text) {
        return Serialization.unmarshal(text, ObjectBucket.class);
    }

    /** Stores by the class parameter {@code endpoint}; only the addresses tell where they are. */
    private record Addresses(Map<String, OwnershipTags> buckets) implements StoreSource {

        @Override
        public ClassStore of(BucketClass bucketClass) {
            String endpoint = bucketClass.reference().parameters().getOrDefault("endpoint", "");
            return new ClassStore() {
                @Override
                public Object location() {
                    return endpoint;
                }

                @Override
                public <R> R use(BiFunction<MeasuredStore, String, R> call) {
                    if (endpoint.equals("unreachable")) {
                        throw new Unavailable("no route");
                    }
                    BucketStore store = new OneBucket(Optional.ofNullable(buckets.get(endpoint)));
                    return call.apply(new MeasuredStore("test", store, StoreObserver.none()), "");
                }
            };
        }

        @Override
        public void close() {
            // Nothing is open.
        }
    }

    private static final class OneBucket extends StubStore {

        private final Optional<OwnershipTags> tags;

        OneBucket(Optional<OwnershipTags> tags) {
            this.tags = tags;
        }

        @Override
        public Optional<ListedBucket> findBucket(StoreCall call, BucketName bucket) {
            return tags.map(found -> new ListedBucket(bucket.text(), found, Optional.empty()));
        }
    }
}
