package io.bucketwright.buckets;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.bucketwright.api.Phase;
import io.bucketwright.local.stores.LocalStore;
import io.bucketwright.local.stores.StoreAccess;
import io.bucketwright.local.stores.StoreKind;
import io.bucketwright.runtime.engine.ControllerProcess;
import io.bucketwright.testing.ApiUser;
import io.bucketwright.testing.Eventually;
import io.bucketwright.testing.OnCluster;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.Test;
import software.amazon.awssdk.http.SdkHttpMethod;
import software.amazon.awssdk.protocols.jsoncore.JsonNode;
import software.amazon.awssdk.regions.Region;
import software.amazon.awssdk.services.iam.IamClient;
import software.amazon.awssdk.services.s3.S3Client;
import software.amazon.awssdk.services.s3.model.Bucket;
import software.amazon.awssdk.services.s3.model.S3Exception;

/** What somebody deletes in a real store behind bound claims, and what makes them ready again. */
@OnCluster
@Order(1)
class DeletedInStoreIT extends BucketTestBase {

    /** The shortest that is accepted: the store is asked for each claim once in this time. */
    private static final Duration INTERVAL = Duration.ofMinutes(1);

    /**
     * A store and its administrator, who works with it directly.
     *
     * @param root uses the administrator's key
     */
    private record Subject(LocalStore server, StoreKind kind, S3Client root) implements AutoCloseable {

        static Subject start(StoreKind kind) {
            LocalStore server = LocalStore.start(kind);
            StoreAccess access = server.access();
            return new Subject(server, kind, client(access.endpoint(), S3Clients.keys(access)));
        }

        StoreAccess access() {
            return server.access();
        }

        /** The name of a claim on this store. */
        String claim(String what) {
            return what + "-" + kind.text();
        }

        void deleteBucket(String bucket) {
            if (kind == StoreKind.CEPH) {
                byte[] _ = admin(SdkHttpMethod.DELETE, "/admin/bucket", Map.of("bucket", bucket));
            } else {
                root.deleteBucket(request -> request.bucket(bucket));
            }
        }

        void createBucket(String bucket) {
            if (kind == StoreKind.CEPH) {
                try (S3Client owner = owner(bucket)) {
                    owner.createBucket(request -> request.bucket(bucket));
                }
            } else {
                root.createBucket(request -> request.bucket(bucket));
            }
        }

        void deleteUser(String user) {
            switch (kind) {
                case MINIO -> {
                    byte[] _ = admin(SdkHttpMethod.DELETE, "/minio/admin/v3/remove-user", Map.of("accessKey", user));
                }
                case CEPH -> {
                    byte[] _ = admin(SdkHttpMethod.DELETE, "/admin/user", Map.of("uid", user));
                }
                case S3 -> deleteIamUser(user);
                case AZURE, GCS, MOTO -> throw new IllegalArgumentException(kind + " has no users");
            }
        }

        private void deleteIamUser(String user) {
            try (IamClient iam = S3Clients.users(access())) {
                iam.listAccessKeys(request -> request.userName(user))
                        .accessKeyMetadata()
                        .forEach(key -> iam.deleteAccessKey(
                                request -> request.userName(user).accessKeyId(key.accessKeyId())));
                iam.listUserPolicies(request -> request.userName(user))
                        .policyNames()
                        .forEach(policy -> iam.deleteUserPolicy(
                                request -> request.userName(user).policyName(policy)));
                iam.deleteUser(request -> request.userName(user));
            }
        }

        /** With the key of the user who owned the bucket: deleting a bucket by hand keeps that user. */
        private S3Client owner(String bucket) {
            JsonNode user =
                    StoreContents.send(access(), SdkHttpMethod.GET, "/admin/user", Map.of("uid", "bwb-" + bucket));
            return client(access().endpoint(), StoreContents.cephKeys(user));
        }

        private byte[] admin(SdkHttpMethod method, String path, Map<String, String> query) {
            return StoreContents.sendRaw(access(), method, path, query);
        }

        @Override
        public void close() {
            root.close();
            server.close();
        }
    }

    @Test
    void aDeletedBucketOrUserIsReportedAndTheClaimIsReadyWhenItIsThereAgain() {
        ApiUser user = cluster.user("verifying");
        try (Subject gateway = Subject.start(StoreKind.S3);
                Subject minio = Subject.start(StoreKind.MINIO);
                Subject ceph = Subject.start(StoreKind.CEPH)) {
            List<Subject> stores = List.of(gateway, minio, ceph);
            ControllerProcess first = start(user);
            Map<String, String> buckets = new HashMap<>();
            for (Subject store : stores) {
                String storageClass = storageClass(store);
                claims(store).forEach(name -> buckets.put(name, bench.bind(name, storageClass)));
            }
            for (Subject store : stores) {
                store.deleteBucket(buckets.getOrDefault(store.claim("bucket"), ""));
                store.deleteUser(bench.userOf(store.claim("user")));
            }

            // On Ceph, the user that owned the deleted bucket still exists, and nobody else gets the name.
            List<Replaced> replaced =
                    Stream.of(gateway, minio).map(this::replace).toList();

            for (Subject store : stores) {
                String bucket = store.claim("bucket");
                assertThat(bench.awaitReason(bucket, "BucketMissing"))
                        .contains(buckets.getOrDefault(bucket, ""), "not created again");
                assertThat(bench.get(bucket).phase()).isEqualTo(Phase.BOUND);
                assertThat(bench.awaitReason(store.claim("user"), "AccessMissing"))
                        .contains("claim rotate");
                assertThat(bench.reason(store.claim("untouched"))).isEqualTo("Bound");
            }

            replaced.forEach(this::isLost);

            first.close();
            for (Subject store : stores) {
                // Also: nobody else has created it meanwhile.
                store.createBucket(buckets.getOrDefault(store.claim("bucket"), ""));
            }
            // A report that a process finds is confirmed at once: nothing has to wait for the next verification.
            ControllerProcess _ = start(user);
            for (Subject store : stores) {
                bench.rotate(store.claim("user"));
                if (store.kind() == StoreKind.CEPH) {
                    // The permissions of users are in the policy of the bucket, and were deleted with it.
                    bench.awaitReason(store.claim("bucket"), "AccessMissing");
                    bench.rotate(store.claim("bucket"));
                }
                // Somebody else created the bucket, without ownership tags.
                bench.awaitReason(store.claim("bucket"), "TagsMissing");
                bench.awaitReason(store.claim("user"), "Bound");
            }
            List<String> all = new ArrayList<>(buckets.keySet());
            all.forEach(this::use);
            bench.remove(all.toArray(String[]::new));
            replaced.forEach(pair -> {
                bench.remove(pair.claim());
                // Its bucket has survived the deletion of the claim that had it before.
                use(pair.successor());
                bench.remove(pair.successor());
            });
            for (Subject store : List.of(gateway, minio)) {
                assertThat(store.root().listBuckets().buckets().stream().map(Bucket::name))
                        .as("a bucket that somebody else created, without ownership tags, is not deleted")
                        .containsExactly(buckets.getOrDefault(store.claim("bucket"), ""));
            }
        }
    }

    /**
     * A claim whose bucket was deleted by hand, and the claim that has created one of that name.
     *
     * @param config what the application of the first claim has
     */
    private record Replaced(String claim, String successor, Map<String, String> config, Map<String, String> keys) {}

    private Replaced replace(Subject store) {
        String claim = store.claim("replaced");
        String successor = store.claim("successor");
        String storageClass = cluster.namespace() + "-" + store.kind().text();
        String bucket = bench.bind(claim, storageClass);
        store.deleteBucket(bucket);
        bench.claim(successor, BucketFixture.spec(storageClass).bucketName(bucket));
        bench.awaitBound(successor);
        return new Replaced(claim, successor, bench.config(claim), bench.keys(claim));
    }

    /** The bucket of the successor is out of reach. */
    private void isLost(Replaced pair) {
        assertThat(bench.awaitReason(pair.claim(), "BucketReplaced")).contains("another owner");
        Eventually.await("a second answer of the store, and the end of the access of " + pair.claim())
                .untilAsserted(() -> assertThatThrownBy(() -> write(pair.config(), pair.keys()))
                        .isInstanceOfSatisfying(
                                S3Exception.class,
                                refused -> assertThat(refused.statusCode()).isEqualTo(403)));
        assertThat(bench.reason(pair.successor())).isEqualTo("Bound");
        use(pair.successor());
    }

    private static Stream<String> claims(Subject store) {
        return Stream.of("bucket", "user", "untouched").map(store::claim);
    }

    private ControllerProcess start(ApiUser user) {
        return bench.startInstalledStores(user, builder -> builder.verifyInterval(INTERVAL));
    }

    private String storageClass(Subject store) {
        String secret = store.claim("administrator");
        StoreAccess access = store.access();
        bench.foreignSecret(secret, S3Clients.keys(access));
        Map<String, String> parameters =
                bench.administered(Map.of("endpoint", access.endpoint(), "secretName", secret, "onNotEmpty", "purge"));
        parameters.putAll(
                store.kind() == StoreKind.S3
                        ? Map.of("iamEndpoint", access.iamEndpoint())
                        : Map.of("identity", store.kind().text()));
        return bench.storageClass(store.kind().text(), parameters);
    }

    /** Writes an object with what the claim's application has now. */
    private void use(String claim) {
        write(bench.config(claim), bench.keys(claim));
    }

    private static void write(Map<String, String> config, Map<String, String> keys) {
        try (S3Client s3 = client(config.getOrDefault("AWS_ENDPOINT_URL", ""), keys)) {
            S3Clients.put(s3, config.getOrDefault("BUCKET_NAME", ""), "world");
        }
    }

    private static S3Client client(String endpoint, Map<String, String> keys) {
        return S3Clients.withoutChecksums(endpoint, Region.US_EAST_1.id(), keys);
    }
}
