package io.bucketwright.store.s3.minio;

import static io.bucketwright.store.contract.StoreRequests.call;
import static io.bucketwright.store.contract.StoreRequests.provisionRequest;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.bucketwright.store.AdministratorSecret;
import io.bucketwright.store.CompleteStore;
import io.bucketwright.store.DeleteRequest;
import io.bucketwright.store.GrantRequest;
import io.bucketwright.store.OnNotEmpty;
import io.bucketwright.store.ProvisionRequest;
import io.bucketwright.store.access.Access;
import io.bucketwright.store.access.AccessMode;
import io.bucketwright.store.access.BucketName;
import io.bucketwright.store.access.BucketOwner;
import io.bucketwright.store.connection.Credentials.AccessKey;
import io.bucketwright.store.connection.ProvisionedBucket;
import io.bucketwright.store.connection.SecretValue;
import io.bucketwright.store.contract.ObjectClient;
import io.bucketwright.store.contract.ObjectClient.Refused;
import io.bucketwright.store.errors.StoreException.Denied;
import io.bucketwright.store.errors.StoreException.Unsupported;
import io.bucketwright.store.options.Capability;
import io.bucketwright.store.s3.S3Application;
import io.bucketwright.store.s3.StoreAdministrator;
import java.security.SecureRandom;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.UUID;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** Keys that all claims of a class share, on a MinIO whose users are managed by others. */
@ExtendWith(MinioServer.Provider.class)
final class SharedKeysIT {

    private final StoreAdministrator administrator;
    private final MinioServer tools;
    private final MinioAdmin admin;
    private final BucketName first = BucketName.generate("shared", new SecureRandom());
    private final BucketName second = BucketName.generate("shared", new SecureRandom());
    private final BucketName foreign = BucketName.generate("foreign", new SecureRandom());
    private final String writer = "writer-" + UUID.randomUUID();
    private final String reader = "reader-" + UUID.randomUUID();
    private final AccessKey readWrite;
    private final AccessKey readOnly;

    SharedKeysIT(MinioServer server) {
        this.administrator = server.administrator();
        this.tools = server;
        this.admin = new MinioAdmin(administrator.clients().admin(), new SecureRandom());
        this.readWrite = user(writer, ",\"s3:PutObject\",\"s3:DeleteObject\"");
        this.readOnly = user(reader, "");
    }

    @AfterEach
    void cleanUp() {
        for (String user : Set.of(writer, reader)) {
            admin.removeUser(call(), user);
            admin.removePolicy(call(), user);
        }
        tools.deleteBucket(first);
        tools.deleteBucket(second);
        tools.deleteBucket(foreign);
        admin.close();
    }

    @Test
    void allClaimsGetTheSameKeyAndNothingIsCreatedForThem() {
        tools.createBucket(foreign);
        try (CompleteStore store = open(secret())) {
            BucketOwner owner = owner();
            ProvisionedBucket one = store.provision(call(), request(first, owner, Access.readWrite()));
            ProvisionedBucket other = store.provision(call(), request(second, owner(), Access.readWrite()));
            assertThat(one.credentials()).isEqualTo(readWrite.credentials()).isEqualTo(other.credentials());
            ObjectClient application = new S3Application(one);
            application.put("key", "text");
            assertThat(application.get("key")).isEqualTo("text");
            assertThat(admin.user(call(), owner.principal().text())).isEmpty();
            // Nothing ends for the others when one claim is deleted.
            store.delete(call(), new DeleteRequest(first, owner, OnNotEmpty.PURGE));
            assertThat(tools.bucketExists(first)).isFalse();
            new S3Application(other).put("key", "text");
        }
    }

    @Test
    void aClaimThatOnlyReadsGetsTheKeyThatOnlyReads() {
        try (CompleteStore store = open(secret())) {
            ProvisionedBucket made = store.provision(call(), request(first, owner(), Access.readWrite()));
            new S3Application(made).put("key", "text");
            ProvisionedBucket granted =
                    store.grant(call(), new GrantRequest(first, owner(), Access.of(AccessMode.READ_ONLY), Set.of()));
            assertThat(granted.credentials()).isEqualTo(readOnly.credentials());
            ObjectClient application = new S3Application(granted);
            assertThat(application.get("key")).isEqualTo("text");
            assertThatThrownBy(() -> application.put("key", "other")).isInstanceOf(Refused.class);
        }
    }

    @Test
    void whatASharedKeyCannotDoIsRefusedBeforeTheBucketIsCreated() {
        Map<String, SecretValue> onlyOne = new HashMap<>(secret().data());
        onlyOne.remove("SHARED_READ_ONLY_ACCESS_KEY_ID");
        try (CompleteStore store = open(new AdministratorSecret(onlyOne))) {
            assertThat(store.capabilities())
                    .doesNotContain(Capability.ROTATE, Capability.SUSPEND, Capability.PREFIX, Capability.WRITE_ONLY);
            for (Access access : Set.of(
                    Access.of(AccessMode.READ_ONLY),
                    Access.of(AccessMode.WRITE_ONLY),
                    Access.readWrite().withPrefix("a/"),
                    Access.readWrite().withActions(Set.of("s3:GetObject"), Set.of()))) {
                assertThatThrownBy(() -> store.provision(call(), request(first, owner(), access)))
                        .isInstanceOf(Unsupported.class)
                        .hasMessageContaining("shared key");
            }
            assertThat(tools.bucketExists(first)).isFalse();
            assertThatThrownBy(() -> store.retire(call(), first, owner(), Set.of()))
                    .isInstanceOf(Unsupported.class)
                    .hasMessageContaining("share one key");
            assertThatThrownBy(() -> store.suspend(call(), first, owner())).isInstanceOf(Unsupported.class);
        }
    }

    @Test
    void theAdministratorsKeyIsNeverShared() {
        for (String name : Set.of("SHARED_ACCESS_KEY_ID", "SHARED_READ_ONLY_ACCESS_KEY_ID")) {
            Map<String, SecretValue> own = new HashMap<>(secret().data());
            own.put(name, SecretValue.of(administrator.keyId()));
            AccessMode mode = name.contains("READ_ONLY") ? AccessMode.READ_ONLY : AccessMode.READ_WRITE;
            try (CompleteStore store = open(new AdministratorSecret(own))) {
                for (ThrowingCallable attempt : List.<ThrowingCallable>of(
                        () -> store.check(call(), first, owner()),
                        () -> store.provision(call(), request(first, owner(), Access.of(mode))))) {
                    assertThatThrownBy(attempt)
                            .isInstanceOf(Denied.class)
                            .hasMessageContaining("administrator's own key");
                }
                assertThat(tools.bucketExists(first)).isFalse();
            }
        }
        assertThatThrownBy(() -> open(administrator.secret()))
                .isInstanceOf(Denied.class)
                .hasMessageContaining("SHARED_ACCESS_KEY_ID");
    }

    private CompleteStore open(AdministratorSecret secret) {
        return tools.open(Map.of("identity", "static"), secret);
    }

    private AdministratorSecret secret() {
        Map<String, SecretValue> data = new HashMap<>(administrator.secret().data());
        data.put("SHARED_ACCESS_KEY_ID", SecretValue.of(readWrite.id()));
        data.put("SHARED_SECRET_ACCESS_KEY", readWrite.secret());
        data.put("SHARED_READ_ONLY_ACCESS_KEY_ID", SecretValue.of(readOnly.id()));
        data.put("SHARED_READ_ONLY_SECRET_ACCESS_KEY", readOnly.secret());
        return new AdministratorSecret(data);
    }

    private AccessKey user(String name, String moreActions) {
        String policy = """
                {"Version":"2012-10-17","Statement":[{"Effect":"Allow","Action":["s3:GetObject","s3:ListBucket"%s],
                "Resource":["arn:aws:s3:::shared-*"]}]}""".formatted(moreActions);
        admin.putPolicy(call(), name, policy);
        admin.putUser(call(), name);
        admin.attachPolicy(call(), name, name);
        return admin.addServiceAccount(
                call(), name, name.substring(0, "writer-01234567".length()).replace('-', 'K'));
    }

    private static ProvisionRequest request(BucketName bucket, BucketOwner owner, Access access) {
        return provisionRequest(bucket, owner, access);
    }

    private static BucketOwner owner() {
        return new BucketOwner("it-cluster", UUID.randomUUID().toString());
    }
}
