package io.bucketwright.store.s3;

import static io.bucketwright.store.contract.StoreRequests.call;
import static io.bucketwright.store.contract.StoreRequests.provisionRequest;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.bucketwright.local.server.Component;
import io.bucketwright.store.BucketStore;
import io.bucketwright.store.CompleteStore;
import io.bucketwright.store.DeleteRequest;
import io.bucketwright.store.MissingPart;
import io.bucketwright.store.OnNotEmpty;
import io.bucketwright.store.Progress;
import io.bucketwright.store.ProvisionRequest;
import io.bucketwright.store.ProvisionRequest.Naming;
import io.bucketwright.store.access.Access;
import io.bucketwright.store.connection.Credentials.AccessKey;
import io.bucketwright.store.connection.ProvisionedBucket;
import io.bucketwright.store.contract.Contract;
import io.bucketwright.store.contract.ObjectClient.Refused;
import io.bucketwright.store.errors.StoreException.Denied;
import io.bucketwright.store.errors.StoreException.Invalid;
import io.bucketwright.store.errors.StoreException.NotEmpty;
import io.bucketwright.store.errors.StoreException.Taken;
import io.bucketwright.store.errors.StoreException.Unavailable;
import io.bucketwright.store.errors.StoreException.Unsupported;
import io.bucketwright.store.options.BucketOption;
import io.bucketwright.store.options.BucketOption.AnonymousAccess;
import io.bucketwright.store.options.BucketOption.CannedAcl;
import java.io.IOException;
import java.net.HttpURLConnection;
import java.net.URI;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executors;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.parallel.ResourceLock;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import software.amazon.awssdk.core.sync.RequestBody;
import software.amazon.awssdk.services.iam.model.User;
import software.amazon.awssdk.services.s3.model.GetBucketAclResponse;

/** Tests of the S3 store in addition to the conformance tests of every store. */
final class S3BucketStoreIT extends GatewayTest {

    S3BucketStoreIT(Gateway gateway) {
        super(gateway);
    }

    @Test
    void aGeneratedBucketThatACrashLeftUntaggedIsUsed() {
        tools.createBucket(bucket);
        store.provision(call(), request(Naming.GENERATED));
        assertThat(tools.tags(bucket)).containsEntry("bucketwright.io/owner", owner.uid());
    }

    @Test
    void aBucketIsTaggedByTheRequestThatCreatesIt() {
        BucketStore dying = tools.storeFailingAfter(2).orElseThrow();
        assertThatThrownBy(() -> dying.provision(call(), request(Naming.GIVEN))).isInstanceOf(Unavailable.class);
        assertThat(tools.tags(bucket)).containsEntry("bucketwright.io/owner", owner.uid());
    }

    @Test
    void deletingLeavesNoUserBehind() {
        provision();
        assertThat(users()).contains(owner.principal().text());
        delete(OnNotEmpty.BLOCK);
        assertThat(users()).doesNotContain(owner.principal().text());
    }

    @Test
    void aForeignUserOfTheSameNameIsNeitherUsedNorDeleted() {
        tools.iam().createUser(request -> request.userName(owner.principal().text()));
        try {
            assertThatThrownBy(() -> provision()).isInstanceOf(Taken.class);
            assertThatThrownBy(() -> delete(OnNotEmpty.BLOCK))
                    .isInstanceOf(Denied.class)
                    .hasMessageContaining("no longer names its owner");
            assertThat(users()).contains(owner.principal().text());
        } finally {
            tools.iam().deleteUser(request -> request.userName(owner.principal().text()));
        }
    }

    @Test
    void aPolicyThatSomebodyDeletedIsMissing() {
        provision();
        tools.iam()
                .deleteUserPolicy(
                        request -> request.userName(owner.principal().text()).policyName("bucketwright"));
        assertThat(store.verify(call(), bucket, owner)).containsExactly(MissingPart.ACCESS);
        provision();
        assertThat(store.verify(call(), bucket, owner)).isEmpty();
    }

    @Test
    void theAdministratorsKeysAreNeverIssued() {
        AccessKey key = Contract.accessKey(provision());
        assertThat(key.id()).isNotEqualTo(tools.access().accessKeyId());
        assertThat(key.secret().reveal()).isNotEqualTo(tools.access().secretAccessKey());
    }

    @Test
    void applicationsGetThePublicEndpoint() {
        try (CompleteStore open = tools.open(Map.of("publicEndpoint", "https://s3.example.com"))) {
            ProvisionedBucket made = open.provision(call(), request(Naming.GIVEN));
            assertThat(made.connection().endpoint()).hasToString("https://s3.example.com");
        }
    }

    @Test
    void theIdentityIsDetected() {
        try (CompleteStore open = tools.open(Map.of("identity", "auto"))) {
            ProvisionedBucket made = open.provision(call(), request(Naming.GIVEN));
            assertThat(made.state()).containsEntry("identity", "iam");
            new S3Application(made).put("key", "text");
        }
    }

    @Test
    void objectsOfTenantsDoNotPretendAnotherIdentity() {
        Map<String, String> forged = Map.of(
                "admin", "user",
                "minio", "admin/v3/user-info");
        try (CompleteStore open = tools.open(Map.of("identity", "auto"))) {
            forged.forEach((name, key) -> {
                s3.createBucket(it -> it.bucket(name));
                s3.putObject(
                        it -> it.bucket(name).key(key),
                        RequestBody.fromString("{\"user_id\":\"bucketwright-detection\",\"status\":\"enabled\"}"));
            });
            ProvisionedBucket made = open.provision(call(), request(Naming.GIVEN));
            assertThat(made.state()).containsEntry("identity", "iam");
        } finally {
            forged.forEach((name, key) -> {
                s3.deleteObject(it -> it.bucket(name).key(key));
                s3.deleteBucket(it -> it.bucket(name));
            });
        }
    }

    @Test
    void anotherIdentityThanTheOneOfTheStoreIsReported() {
        try (CompleteStore open = tools.open(Map.of("identity", "minio"))) {
            assertThatThrownBy(() -> open.check(call(), bucket, owner))
                    .isInstanceOf(Unsupported.class)
                    .hasMessageContaining("does not serve the admin API of MinIO");
        }
    }

    @Test
    void policyActionsRestrictAPrincipal() {
        Access noDeletes = Access.readWrite().withActions(Set.of("s3:*Object", "s3:ListBucket"), Set.of("s3:Delete*"));
        S3Application application = new S3Application(store.provision(call(), request(noDeletes)));
        application.put("key", "text");
        assertThat(application.list("")).containsExactly("key");
        assertThatThrownBy(() -> application.delete("key")).isInstanceOf(Refused.class);
        Access unknown = Access.readWrite().withActions(Set.of("s3:PutBucketPolicy"), Set.of());
        assertThatThrownBy(() -> store.provision(call(), request(unknown)))
                .isInstanceOf(Invalid.class)
                .hasMessageContaining("s3:PutBucketPolicy");
    }

    @ParameterizedTest
    @ValueSource(strings = {"plus+ %41%2B", "&<key>\"'", "umlaut \u00fc\ud83d\ude00/a\tb"})
    void anObjectWithAnUnusualKeyIsDeleted(String key) {
        provision();
        put(key);
        int slices = 0;
        while (delete(OnNotEmpty.PURGE) instanceof Progress.More) {
            assertThat(++slices).as("slices").isLessThan(5);
        }
        assertThat(tools.bucketExists(bucket)).isFalse();
    }

    @Test
    void aFullBucketIsDeletedInSlices() {
        int versions = 1_250;
        provision(new BucketOption.Versioning(true));
        try (var threads = Executors.newFixedThreadPool(8)) {
            List<CompletableFuture<?>> puts = new ArrayList<>();
            for (int i = 0; i < versions; i++) {
                String key = "folder-" + i % 7 + "/object-" + i % (versions / 2);
                puts.add(CompletableFuture.runAsync(() -> put(key), threads));
            }
            puts.forEach(CompletableFuture::join);
        }
        // Without time for a second page, each call deletes exactly one.
        CompleteStore onePagePerCall = tools.storeWithSlice(Duration.ZERO);
        DeleteRequest request = new DeleteRequest(bucket, owner, OnNotEmpty.PURGE);
        for (int left = versions; left > 0; left -= BucketContents.PAGE) {
            assertThat(onePagePerCall.delete(call(), request))
                    .isEqualTo(new Progress.More(Math.min(BucketContents.PAGE, left)));
            assertThat(tools.bucketExists(bucket)).isTrue();
        }
        for (int attempt = 1; tools.bucketExists(bucket); attempt++) {
            assertThat(attempt).isLessThan(10);
            try {
                assertThat(onePagePerCall.delete(call(), request)).isEqualTo(new Progress.Done());
            } catch (Unavailable timeout) {
                // versitygw can need longer to delete a bucket that held many objects than a request may take.
            }
        }
    }

    @Test
    void aPurgeReportsLockedObjects() {
        provision(new BucketOption.ObjectLock(BucketOption.ObjectLock.Mode.GOVERNANCE, 1));
        put("kept");
        assertThatThrownBy(() -> delete(OnNotEmpty.PURGE))
                .isInstanceOf(NotEmpty.class)
                .hasMessageContaining("kept");
        s3.listObjectVersions(request -> request.bucket(bucket.text()))
                .versions()
                .forEach(version -> s3.deleteObject(request -> request.bucket(bucket.text())
                        .key(version.key())
                        .versionId(version.versionId())
                        .bypassGovernanceRetention(true)));
    }

    @Test
    void anonymousAccessCanBeSetAndRemoved() throws IOException {
        provision(AnonymousAccess.READ_ONLY);
        put("key");
        assertThat(anonymousGet()).isEqualTo(200);
        update(Access.none(), AnonymousAccess.PRIVATE);
        assertThat(anonymousGet()).isEqualTo(403);
    }

    @Test
    void aForeignPolicyIsNotReplacedByAnonymousAccess() {
        provision();
        putPolicyByHand("s3:PutObject");
        assertThatThrownBy(() -> update(Access.none(), AnonymousAccess.READ_ONLY))
                .isInstanceOf(Invalid.class);
    }

    @Test
    void aCannedAclIsSet() {
        provision(CannedAcl.PUBLIC_READ);
        GetBucketAclResponse acl = s3.getBucketAcl(request -> request.bucket(bucket.text()));
        assertThat(acl.grants().toString()).contains("READ");
    }

    @Test
    void anOptionThatTheStoreRejectsIsUnsupported() {
        BucketOption lifecycle =
                BucketOption.Lifecycle.parse("{\"Rules\":[{\"ID\":\"a\",\"Expiration\":{\"Days\":1}}]}");
        try (CompleteStore open = tools.open(Map.of("unsupportedOptions", ""))) {
            assertThatThrownBy(() -> open.provision(call(), request(Naming.GIVEN, lifecycle)))
                    .isInstanceOf(Unsupported.class);
        }
    }

    @Test
    @ResourceLock("gateway")
    void callsContinueAfterARestartOfTheStore() {
        tools.servers().stop(Component.S3_IAM);
        try {
            assertThatThrownBy(() -> provision()).isInstanceOf(Unavailable.class);
        } finally {
            tools.servers().start(Component.S3_IAM);
        }
        new S3Application(provision()).put("key", "text");
        tools.servers().stop(Component.S3_GATEWAY);
        try {
            assertThatThrownBy(() -> delete(OnNotEmpty.PURGE)).isInstanceOf(Unavailable.class);
        } finally {
            tools.servers().start(Component.S3_GATEWAY);
        }
        assertThat(delete(OnNotEmpty.PURGE)).isEqualTo(new Progress.Done());
    }

    private int anonymousGet() throws IOException {
        URI object = URI.create(tools.access().endpoint() + "/" + bucket + "/key");
        return ((HttpURLConnection) object.toURL().openConnection()).getResponseCode();
    }

    private List<String> users() {
        return tools.iam().listUsersPaginator().users().stream()
                .map(User::userName)
                .toList();
    }

    private ProvisionRequest request(Access access) {
        return provisionRequest(bucket, owner, access);
    }
}
