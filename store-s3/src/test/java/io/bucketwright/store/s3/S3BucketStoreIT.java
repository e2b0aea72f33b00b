package io.bucketwright.store.s3;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.bucketwright.local.Component;
import io.bucketwright.store.BucketStore;
import io.bucketwright.store.DeleteRequest;
import io.bucketwright.store.OnNotEmpty;
import io.bucketwright.store.Progress;
import io.bucketwright.store.ProvisionRequest;
import io.bucketwright.store.ProvisionRequest.Naming;
import io.bucketwright.store.StoreCall;
import io.bucketwright.store.UpdateRequest;
import io.bucketwright.store.access.Access;
import io.bucketwright.store.access.BucketName;
import io.bucketwright.store.access.BucketOwner;
import io.bucketwright.store.connection.Credentials.AccessKey;
import io.bucketwright.store.connection.ProvisionedBucket;
import io.bucketwright.store.contract.ObjectClient.Refused;
import io.bucketwright.store.errors.StoreException.Invalid;
import io.bucketwright.store.errors.StoreException.NotEmpty;
import io.bucketwright.store.errors.StoreException.Taken;
import io.bucketwright.store.errors.StoreException.Unavailable;
import io.bucketwright.store.errors.StoreException.Unsupported;
import io.bucketwright.store.options.BucketOption;
import io.bucketwright.store.options.BucketOption.AnonymousAccess;
import io.bucketwright.store.options.BucketOption.CannedAcl;
import io.bucketwright.store.options.BucketOptions;
import java.io.IOException;
import java.net.HttpURLConnection;
import java.net.URI;
import java.security.SecureRandom;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executors;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.parallel.ResourceLock;
import software.amazon.awssdk.core.sync.RequestBody;
import software.amazon.awssdk.services.iam.model.User;
import software.amazon.awssdk.services.s3.model.GetBucketAclResponse;

/** Tests of the S3 store in addition to the conformance tests of every store. */
@ExtendWith(Gateway.Provider.class)
final class S3BucketStoreIT {

    private final Gateway gateway;
    private final VersityGateway tools;
    private final BucketStore store;
    private final BucketName bucket = BucketName.generate("it", new SecureRandom());
    private final BucketOwner owner =
            new BucketOwner("it-cluster", UUID.randomUUID().toString());

    S3BucketStoreIT(Gateway gateway) {
        this.gateway = gateway;
        this.tools = new VersityGateway(gateway);
        this.store = tools.store();
    }

    @AfterEach
    void cleanUp() {
        store.revoke(call(), bucket, owner);
        tools.deleteBucket(bucket);
        store.close();
    }

    @Test
    void aGeneratedBucketThatACrashLeftUntaggedIsUsed() {
        tools.createBucket(bucket);
        provision(Naming.GENERATED, BucketOptions.unmanaged());
        assertThat(tools.tags(bucket)).containsEntry("bucketwright.io/owner", owner.uid());
    }

    @Test
    void aBucketIsTaggedByTheRequestThatCreatesIt() {
        BucketStore dying = tools.storeFailingAfter(2).orElseThrow();
        assertThatThrownBy(() -> dying.provision(call(), request(Naming.GIVEN, BucketOptions.unmanaged())))
                .isInstanceOf(Unavailable.class);
        assertThat(tools.tags(bucket)).containsEntry("bucketwright.io/owner", owner.uid());
    }

    @Test
    void deletingLeavesNoUserBehind() {
        provision(Naming.GIVEN, BucketOptions.unmanaged());
        assertThat(users()).contains(owner.principal().text());
        store.delete(call(), new DeleteRequest(bucket, owner, OnNotEmpty.BLOCK));
        assertThat(users()).doesNotContain(owner.principal().text());
    }

    @Test
    void aForeignUserOfTheSameNameIsNeitherUsedNorDeleted() {
        gateway.iam().createUser(request -> request.userName(owner.principal().text()));
        try {
            assertThatThrownBy(() -> provision(Naming.GIVEN, BucketOptions.unmanaged()))
                    .isInstanceOf(Taken.class);
            store.delete(call(), new DeleteRequest(bucket, owner, OnNotEmpty.BLOCK));
            assertThat(users()).contains(owner.principal().text());
        } finally {
            gateway.iam()
                    .deleteUser(request -> request.userName(owner.principal().text()));
        }
    }

    @Test
    void theAdministratorsKeysAreNeverIssued() {
        AccessKey key =
                (AccessKey) provision(Naming.GIVEN, BucketOptions.unmanaged()).credentials();
        assertThat(key.id()).isNotEqualTo(gateway.access().accessKeyId());
        assertThat(key.secret().reveal()).isNotEqualTo(gateway.access().secretAccessKey());
    }

    @Test
    void applicationsGetThePublicEndpoint() {
        Map<String, String> parameters = new HashMap<>(gateway.parameters());
        parameters.put("publicEndpoint", "https://s3.example.com");
        S3StoreFactory factory = new S3StoreFactory();
        try (BucketStore open = factory.open(factory.parameters().parse(parameters), gateway.administrator())) {
            ProvisionedBucket made = open.provision(call(), request(Naming.GIVEN, BucketOptions.unmanaged()));
            assertThat(made.connection().endpoint()).hasToString("https://s3.example.com");
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

    @Test
    void aFullBucketIsDeletedInSlices() {
        int versions = 600;
        int batch = 250;
        provision(Naming.GIVEN, BucketOptions.of(new BucketOption.Versioning(true)));
        try (var threads = Executors.newFixedThreadPool(8)) {
            List<CompletableFuture<?>> puts = new ArrayList<>();
            for (int i = 0; i < versions; i++) {
                String key = "folder-" + i % 7 + "/object-" + i % (versions / 2);
                puts.add(CompletableFuture.runAsync(
                        () -> gateway.s3()
                                .putObject(
                                        request -> request.bucket(bucket.text()).key(key),
                                        RequestBody.fromString("text")),
                        threads));
            }
            puts.forEach(CompletableFuture::join);
        }
        // Without time for a second batch, each call deletes exactly one.
        BucketStore oneBatchPerCall = tools.storeWithSlice(Duration.ZERO);
        DeleteRequest request = new DeleteRequest(bucket, owner, OnNotEmpty.PURGE);
        for (int left = versions; left > 0; left -= batch) {
            assertThat(oneBatchPerCall.delete(call(), request)).isEqualTo(new Progress.More(Math.min(batch, left)));
            assertThat(tools.bucketExists(bucket)).isTrue();
        }
        for (int attempt = 1; tools.bucketExists(bucket); attempt++) {
            assertThat(attempt).isLessThan(10);
            try {
                assertThat(oneBatchPerCall.delete(call(), request)).isEqualTo(new Progress.Done());
            } catch (Unavailable timeout) {
                // versitygw can need longer to delete a bucket that held many objects than a request may take.
            }
        }
    }

    @Test
    void aPurgeReportsLockedObjects() {
        provision(
                Naming.GIVEN,
                BucketOptions.of(new BucketOption.ObjectLock(BucketOption.ObjectLock.Mode.GOVERNANCE, 1)));
        gateway.s3().putObject(request -> request.bucket(bucket.text()).key("kept"), RequestBody.fromString("text"));
        assertThatThrownBy(() -> store.delete(call(), new DeleteRequest(bucket, owner, OnNotEmpty.PURGE)))
                .isInstanceOf(NotEmpty.class)
                .hasMessageContaining("kept");
        gateway.s3()
                .listObjectVersions(request -> request.bucket(bucket.text()))
                .versions()
                .forEach(version -> gateway.s3()
                        .deleteObject(request -> request.bucket(bucket.text())
                                .key(version.key())
                                .versionId(version.versionId())
                                .bypassGovernanceRetention(true)));
    }

    @Test
    void anonymousAccessCanBeSetAndRemoved() throws IOException {
        provision(Naming.GIVEN, BucketOptions.of(AnonymousAccess.READ_ONLY));
        gateway.s3().putObject(request -> request.bucket(bucket.text()).key("key"), RequestBody.fromString("text"));
        assertThat(anonymousGet()).isEqualTo(200);
        store.update(
                call(), new UpdateRequest(bucket, owner, Access.none(), BucketOptions.of(AnonymousAccess.PRIVATE)));
        assertThat(anonymousGet()).isEqualTo(403);
    }

    @Test
    void aForeignPolicyIsNotReplacedByAnonymousAccess() {
        provision(Naming.GIVEN, BucketOptions.unmanaged());
        String policy = "{\"Version\":\"2012-10-17\",\"Statement\":[{\"Effect\":\"Deny\",\"Principal\":\"*\","
                + "\"Action\":[\"s3:PutObject\"],\"Resource\":[\"arn:aws:s3:::" + bucket + "/*\"]}]}";
        gateway.s3().putBucketPolicy(request -> request.bucket(bucket.text()).policy(policy));
        BucketOptions open = BucketOptions.of(AnonymousAccess.READ_ONLY);
        assertThatThrownBy(() -> store.update(call(), new UpdateRequest(bucket, owner, Access.none(), open)))
                .isInstanceOf(Invalid.class);
    }

    @Test
    void aCannedAclIsSet() {
        provision(Naming.GIVEN, BucketOptions.of(CannedAcl.PUBLIC_READ));
        GetBucketAclResponse acl = gateway.s3().getBucketAcl(request -> request.bucket(bucket.text()));
        assertThat(acl.grants().toString()).contains("READ");
    }

    @Test
    void anOptionThatTheStoreRejectsIsUnsupported() {
        Map<String, String> parameters = new HashMap<>(gateway.parameters());
        parameters.remove("unsupportedOptions");
        S3StoreFactory factory = new S3StoreFactory();
        BucketOptions lifecycle = BucketOptions.of(
                new BucketOption.Lifecycle("{\"Rules\":[{\"ID\":\"a\",\"Expiration\":{\"Days\":1}}]}"));
        try (BucketStore open = factory.open(factory.parameters().parse(parameters), gateway.administrator())) {
            assertThatThrownBy(() -> open.provision(call(), request(Naming.GIVEN, lifecycle)))
                    .isInstanceOf(Unsupported.class);
        }
    }

    @Test
    @ResourceLock("gateway")
    void callsContinueAfterARestartOfTheStore() {
        gateway.servers().stop(Component.S3_IAM);
        try {
            assertThatThrownBy(() -> provision(Naming.GIVEN, BucketOptions.unmanaged()))
                    .isInstanceOf(Unavailable.class);
        } finally {
            gateway.servers().start(Component.S3_IAM);
        }
        new S3Application(provision(Naming.GIVEN, BucketOptions.unmanaged())).put("key", "text");
        gateway.servers().stop(Component.S3_GATEWAY);
        try {
            assertThatThrownBy(() -> store.delete(call(), new DeleteRequest(bucket, owner, OnNotEmpty.PURGE)))
                    .isInstanceOf(Unavailable.class);
        } finally {
            gateway.servers().start(Component.S3_GATEWAY);
        }
        assertThat(store.delete(call(), new DeleteRequest(bucket, owner, OnNotEmpty.PURGE)))
                .isEqualTo(new Progress.Done());
    }

    private int anonymousGet() throws IOException {
        URI object = URI.create(gateway.access().endpoint() + "/" + bucket + "/key");
        return ((HttpURLConnection) object.toURL().openConnection()).getResponseCode();
    }

    private List<String> users() {
        return gateway.iam().listUsersPaginator().users().stream()
                .map(User::userName)
                .toList();
    }

    private ProvisionedBucket provision(Naming naming, BucketOptions options) {
        return store.provision(call(), request(naming, options));
    }

    private ProvisionRequest request(Naming naming, BucketOptions options) {
        return new ProvisionRequest(bucket, naming, owner, Access.readWrite(), options, Set.of());
    }

    private ProvisionRequest request(Access access) {
        return new ProvisionRequest(bucket, Naming.GIVEN, owner, access, BucketOptions.unmanaged(), Set.of());
    }

    private static StoreCall call() {
        return StoreCall.within(Duration.ofSeconds(20));
    }
}
