package io.bucketwright.store.gcs;

import static io.bucketwright.store.contract.StoreRequests.call;
import static io.bucketwright.store.contract.StoreRequests.grantRequest;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.bucketwright.store.BucketPage;
import io.bucketwright.store.CompleteStore;
import io.bucketwright.store.DeleteRequest;
import io.bucketwright.store.OnNotEmpty;
import io.bucketwright.store.Progress;
import io.bucketwright.store.ProvisionRequest;
import io.bucketwright.store.ProvisionRequest.Naming;
import io.bucketwright.store.UpdateRequest;
import io.bucketwright.store.access.Access;
import io.bucketwright.store.access.BucketName;
import io.bucketwright.store.access.BucketOwner;
import io.bucketwright.store.connection.ProvisionedBucket;
import io.bucketwright.store.errors.StoreException.Denied;
import io.bucketwright.store.options.BucketOption.Versioning;
import io.bucketwright.store.options.BucketOptions;
import io.bucketwright.testing.gcs.GcsServer;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;

/** The permissions of the administrator in docs/stores.md are those that the store needs. */
final class AdministratorPermissionsIT {

    private static final Path PAGE = Path.of("../../docs/stores.md");

    /** Only after a race: to learn whether somebody else has deleted a key. */
    private static final Set<String> FOR_MESSAGES = Set.of("storage.hmacKeys.get");

    private final BucketName bucket = new BucketName("photos");
    private final BucketOwner owner = new BucketOwner("cluster", "uid");

    @Test
    void thePageHasAllPermissionsThatAreUsedAndEachOfThemIsNeeded() throws IOException {
        Set<String> used = new TreeSet<>(FOR_MESSAGES);
        for (String keys : List.of("hmac", "serviceAccount")) {
            try (GcsServer server = GcsServer.start()) {
                run(server, keys);
                Set<String> needed = server.usedPermissions();
                // The test itself fills the bucket.
                needed.remove("storage.objects.create");
                used.addAll(needed);
                for (String permission : needed) {
                    assertNeeded(keys, permission);
                }
            }
        }
        Set<String> documented = new TreeSet<>();
        Matcher permission =
                Pattern.compile("`((?:storage|iam)\\.[A-Za-z]+\\.[A-Za-z]+)`").matcher(Files.readString(PAGE));
        while (permission.find()) {
            documented.add(permission.group(1));
        }
        assertThat(documented).isEqualTo(used);
    }

    private void assertNeeded(String keys, String permission) {
        try (GcsServer server = GcsServer.start()) {
            server.deny(Set.of(permission));
            assertThatThrownBy(() -> run(server, keys))
                    .as(permission)
                    .isInstanceOf(Denied.class)
                    .hasMessageContaining(permission);
        }
    }

    /** Everything that a controller does with a claim. */
    private void run(GcsServer server, String keys) {
        StrictStore tools = new StrictStore(server, Map.of("principalKeys", keys));
        try (CompleteStore store = tools.store()) {
            store.check(call(), bucket, owner);
            assertThat(store.listBuckets(call(), BucketPage.FIRST).buckets()).isEmpty();
            BucketOptions options = BucketOptions.unmanaged();
            ProvisionedBucket made = store.provision(
                    call(), new ProvisionRequest(bucket, Naming.GIVEN, owner, Access.readWrite(), options, Set.of()));
            store.update(
                    call(),
                    new UpdateRequest(bucket, owner, Access.readWrite(), BucketOptions.of(new Versioning(true))));
            String published = made.credentials().keyId().orElseThrow();
            String rotated = store.grant(call(), grantRequest(bucket, owner, published))
                    .credentials()
                    .keyId()
                    .orElseThrow();
            store.retire(call(), bucket, owner, Set.of(rotated));
            store.suspend(call(), bucket, owner);
            store.unsuspend(call(), bucket, owner);
            tools.put(bucket, "key", "text");
            server.addUpload("photos", "incomplete");
            assertThat(store.usage(call(), bucket).objects()).isEqualTo(1);
            Progress progress = new Progress.More(1);
            while (progress instanceof Progress.More) {
                progress = store.delete(call(), new DeleteRequest(bucket, owner, OnNotEmpty.PURGE));
            }
        }
    }
}
