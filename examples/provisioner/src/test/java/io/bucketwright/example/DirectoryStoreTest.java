package io.bucketwright.example;

import static org.assertj.core.api.Assertions.assertThat;

import io.bucketwright.store.BucketStore;
import io.bucketwright.store.DeleteRequest;
import io.bucketwright.store.OnNotEmpty;
import io.bucketwright.store.Progress;
import io.bucketwright.store.ProvisionRequest;
import io.bucketwright.store.StoreCall;
import io.bucketwright.store.access.Access;
import io.bucketwright.store.access.BucketName;
import io.bucketwright.store.access.BucketOwner;
import io.bucketwright.store.access.ClaimIdentity;
import io.bucketwright.store.access.Reclaim;
import io.bucketwright.store.connection.ProvisionedBucket;
import io.bucketwright.store.contract.BucketStoreContract;
import io.bucketwright.store.contract.ObjectClient;
import io.bucketwright.store.contract.StoreUnderTest;
import io.bucketwright.store.options.BucketOptions;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Disabled;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The store fulfils the contract, with real files and applications that use HTTP. */
final class DirectoryStoreTest extends BucketStoreContract {

    @TempDir
    @SuppressWarnings("NullAway.Init")
    private static Path root;

    @SuppressWarnings("NullAway.Init")
    private static FileServer server;

    DirectoryStoreTest() {
        super(new Directories(root, server));
    }

    @BeforeAll
    static void startServer() throws IOException {
        server = FileServer.start(root, "127.0.0.1", 0);
    }

    @AfterAll
    static void stopServer() {
        server.close();
    }

    @Override
    @Disabled("the file system needs no credentials")
    public void invalidCredentialsAreDenied() {}

    @Test
    void theOptionOfAClaimIsBesideTheObjectsAndIsDeletedWithThem() throws IOException {
        BucketStore store = new DirectoryStore(root, server.endpoint());
        BucketName bucket = new BucketName("noted");
        BucketOwner owner = new BucketOwner("cluster", "uid-of-noted");
        StoreCall call = StoreCall.within(Duration.ofMinutes(1));
        store.provision(
                call,
                new ProvisionRequest(
                        bucket,
                        ProvisionRequest.Naming.GIVEN,
                        owner,
                        ClaimIdentity.NONE,
                        Reclaim.DELETE,
                        Access.readWrite(),
                        BucketOptions.unmanaged(),
                        store.claimOptions().parse(Map.of("note", "of team a")),
                        Set.of()));
        assertThat(new Layout(root).note(bucket)).hasContent("of team a");
        assertThat(store.delete(call, new DeleteRequest(bucket, owner, OnNotEmpty.BLOCK)))
                .isInstanceOf(Progress.Done.class);
        assertThat(new Layout(root).bucket(bucket)).doesNotExist();
    }

    private record Directories(Path root, FileServer server) implements StoreUnderTest {

        @Override
        public BucketStore store() {
            return new DirectoryStore(root, server.endpoint());
        }

        @Override
        public BucketStore storeWithInvalidCredentials() {
            return store();
        }

        @Override
        public BucketStore unreachableStore() {
            return new DirectoryStore(root.resolve("not-mounted"), server.endpoint());
        }

        @Override
        public ObjectClient application(ProvisionedBucket bucket) {
            return HttpApplication.of(bucket);
        }

        @Override
        public void createBucket(BucketName bucket) {
            try {
                Files.createDirectories(layout().objects(bucket));
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            }
        }

        @Override
        public void deleteBucket(BucketName bucket) {
            if (!Files.exists(layout().bucket(bucket))) {
                return;
            }
            try (Stream<Path> files = Files.walk(layout().bucket(bucket))) {
                List<Path> deepestFirst =
                        files.sorted(Comparator.reverseOrder()).toList();
                for (Path file : deepestFirst) {
                    Files.delete(file);
                }
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            }
        }

        @Override
        public boolean bucketExists(BucketName bucket) {
            return Files.exists(layout().objects(bucket));
        }

        @Override
        public Map<String, String> tags(BucketName bucket) {
            try {
                return Files.exists(layout().owner(bucket))
                        ? Map.of(Layout.OWNER, Files.readString(layout().owner(bucket)))
                        : Map.of();
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            }
        }

        @Override
        public void addTag(BucketName bucket, String key, String value) {
            throw new AssertionError("directories have no tags");
        }

        @Override
        public boolean addVersionsAndUploads(BucketName bucket) {
            return false;
        }

        private Layout layout() {
            return new Layout(root);
        }
    }
}
