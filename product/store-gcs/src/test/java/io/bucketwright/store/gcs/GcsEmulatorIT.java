package io.bucketwright.store.gcs;

import static io.bucketwright.store.contract.StoreRequests.call;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.bucketwright.local.stores.LocalStore;
import io.bucketwright.local.stores.StoreKind;
import io.bucketwright.store.AdoptRequest;
import io.bucketwright.store.BucketPage;
import io.bucketwright.store.CompleteStore;
import io.bucketwright.store.ListedBucket;
import io.bucketwright.store.OnOpenBucket;
import io.bucketwright.store.ProvisionRequest;
import io.bucketwright.store.ProvisionRequest.Naming;
import io.bucketwright.store.UpdateRequest;
import io.bucketwright.store.Usage;
import io.bucketwright.store.access.Access;
import io.bucketwright.store.access.BucketName;
import io.bucketwright.store.access.BucketOwner;
import io.bucketwright.store.access.ClaimIdentity;
import io.bucketwright.store.access.OwnershipTags;
import io.bucketwright.store.access.Reclaim;
import io.bucketwright.store.connection.Endpoint;
import io.bucketwright.store.errors.StoreException.Taken;
import io.bucketwright.store.options.AppliedOptions;
import io.bucketwright.store.options.BucketOption;
import io.bucketwright.store.options.BucketOptions;
import io.bucketwright.testing.gcs.GcsServer;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/**
 * What an emulator that others wrote can show: buckets, labels, options and lists. It checks no credentials and has no service
 * accounts; tokens and service accounts come from the strict server.
 */
final class GcsEmulatorIT {

    private final LocalStore emulator = LocalStore.start(StoreKind.GCS);
    private final GcsServer server = GcsServer.start();
    private final BucketName bucket = new BucketName("photos");
    private final BucketOwner owner = new BucketOwner("Cluster.A", "uid-1");
    private final ClaimIdentity claim = new ClaimIdentity("team", "uid-2", "a.long.name".repeat(12));
    private final CompleteStore store = open();

    @AfterEach
    void close() {
        store.close();
        server.close();
        emulator.close();
    }

    private CompleteStore open() {
        Map<String, String> parameters = new HashMap<>(server.parameters());
        parameters.put("endpoint", emulator.access().endpoint());
        GcsStoreFactory factory = new GcsStoreFactory();
        return factory.open(
                factory.parameters().parse(parameters),
                StrictStore.secret(server.administratorKey()),
                new EmulatorTransport(
                        StrictStore.transport(Endpoint.parse(emulator.access().endpoint()))));
    }

    @Test
    void bucketsLabelsOptionsAndListsWorkOnAnEmulatorOfOthers() {
        BucketOptions options = BucketOptions.of(
                new BucketOption.Versioning(true),
                new BucketOption.Tags(Map.of("team", "blue")),
                BucketOption.Lifecycle.parse("{\"Rules\":[{\"Expiration\":{\"Days\":30}}]}"));
        ProvisionRequest request = new ProvisionRequest(
                bucket, Naming.GIVEN, owner, claim, Reclaim.DELETE, Access.none(), options, Set.of());
        store.provision(call(), request);
        store.provision(call(), request);
        assertThat(found().map(ListedBucket::tags)).contains(new OwnershipTags.Owned(owner, claim, Reclaim.DELETE));
        assertThat(store.listBuckets(call(), BucketPage.FIRST).buckets())
                .extracting(ListedBucket::name)
                .containsExactly("photos");
        BucketState state = ((GcsBucketStore) store).buckets().require(call(), bucket);
        assertThat(state.labels()).containsEntry("team", "blue");
        assertThat(state.resource().path("versioning").path("enabled").asBoolean())
                .isTrue();
        assertThat(state.resource()
                        .path("lifecycle")
                        .path("rule")
                        .path(0)
                        .path("condition")
                        .path("age")
                        .asInt())
                .isEqualTo(30);
        assertThat(store.usage(call(), bucket)).isEqualTo(new Usage(0, 0, true));
        store.update(call(), UpdateRequest.removing(bucket, owner, AppliedOptions.of(options)));
        assertThat(((GcsBucketStore) store).buckets().require(call(), bucket).labels())
                .doesNotContainKey("team");

        BucketOwner next = new BucketOwner("Cluster.A", "next");
        assertThatThrownBy(() -> store.adopt(call(), new AdoptRequest(bucket, next, true)))
                .isInstanceOf(Taken.class);
        store.release(call(), bucket, owner);
        store.adopt(call(), new AdoptRequest(bucket, next, true, OnOpenBucket.CLOSE));
        assertThat(found().map(ListedBucket::tags)).contains(new OwnershipTags.Adopted(next, ClaimIdentity.NONE));
        ((GcsBucketStore) store)
                .buckets()
                .delete(call(), ((GcsBucketStore) store).buckets().require(call(), bucket));
        assertThat(found()).isEmpty();
    }

    private Optional<ListedBucket> found() {
        return store.findBucket(call(), bucket);
    }
}
