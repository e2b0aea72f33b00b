package io.bucketwright.store.s3.minio;

import static io.bucketwright.store.contract.StoreRequests.call;
import static io.bucketwright.store.contract.StoreRequests.provisionRequest;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.bucketwright.store.CompleteStore;
import io.bucketwright.store.DeleteRequest;
import io.bucketwright.store.GrantRequest;
import io.bucketwright.store.OnNotEmpty;
import io.bucketwright.store.ProvisionRequest;
import io.bucketwright.store.UpdateRequest;
import io.bucketwright.store.access.Access;
import io.bucketwright.store.access.AccessMode;
import io.bucketwright.store.access.BucketName;
import io.bucketwright.store.access.BucketOwner;
import io.bucketwright.store.connection.Connection;
import io.bucketwright.store.connection.Credentials.AccessKey;
import io.bucketwright.store.connection.ProvisionedBucket;
import io.bucketwright.store.connection.SecretValue;
import io.bucketwright.store.contract.Contract;
import io.bucketwright.store.contract.ObjectClient;
import io.bucketwright.store.contract.ObjectClient.ForbiddenOperation;
import io.bucketwright.store.contract.ObjectClient.Refused;
import io.bucketwright.store.errors.StoreException.Denied;
import io.bucketwright.store.errors.StoreException.Invalid;
import io.bucketwright.store.errors.StoreException.Taken;
import io.bucketwright.store.errors.StoreException.Unavailable;
import io.bucketwright.store.errors.StoreException.Unsupported;
import io.bucketwright.store.options.BucketOption;
import io.bucketwright.store.options.BucketOption.Lifecycle;
import io.bucketwright.store.options.BucketOption.Quota;
import io.bucketwright.store.options.BucketOptions;
import io.bucketwright.store.s3.S3Application;
import io.bucketwright.store.s3.StoreAdministrator;
import io.bucketwright.store.s3.client.AdminClient;
import io.bucketwright.store.s3.client.AdminRequest;
import io.bucketwright.store.s3.client.AwsClients;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.SecureRandom;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.UUID;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import software.amazon.awssdk.http.SdkHttpMethod;
import software.amazon.awssdk.services.s3.model.S3Exception;

/** Users, keys and quotas of MinIO. */
@ExtendWith(MinioServer.Provider.class)
final class MinioPrincipalsIT {

    private final StoreAdministrator administrator;
    private final MinioServer tools;
    private final CompleteStore store;
    private final MinioAdmin admin;
    private final BucketName bucket = BucketName.generate("it", new SecureRandom());
    private final BucketName other = BucketName.generate("it", new SecureRandom());
    private final BucketOwner owner =
            new BucketOwner("it-cluster", UUID.randomUUID().toString());

    MinioPrincipalsIT(MinioServer server) {
        this.administrator = server.administrator();
        this.tools = server;
        this.store = tools.store();
        this.admin = new MinioAdmin(administrator.clients().admin(), new SecureRandom());
    }

    @AfterEach
    void cleanUp() {
        store.revoke(call(), bucket, owner);
        tools.deleteBucket(bucket);
        tools.deleteBucket(other);
        store.close();
        admin.close();
    }

    @Test
    void aKeyCannotCreateKeysOrChangeUsers() {
        AccessKey key = Contract.accessKey(provision());
        try (AdminClient client = application(key).admin()) {
            MinioAdmin intruder = new MinioAdmin(client, new SecureRandom());
            String user = owner.principal().text();
            assertThatThrownBy(() -> intruder.addServiceAccount(call(), user, "INTRUDER"))
                    .isInstanceOf(Denied.class);
            assertThatThrownBy(() -> intruder.addServiceAccount(call(), administrator.keyId(), "INTRUDER"))
                    .isInstanceOf(Denied.class);
            assertThatThrownBy(() -> intruder.putUser(call(), "intruder")).isInstanceOf(Denied.class);
            assertThatThrownBy(() -> intruder.attachPolicy(call(), user, "consoleAdmin"))
                    .isInstanceOf(Denied.class);
            assertThatThrownBy(() -> intruder.setQuota(call(), bucket, 0)).isInstanceOf(Denied.class);
        }
    }

    /** Without the statement that denies administration, a leaked key could outlive its rotation. */
    @Test
    void theStatementThatDeniesAdministrationIsNeeded() {
        AccessKey key = Contract.accessKey(provision());
        admin.putPolicy(
                call(),
                policy(),
                "{\"Version\":\"2012-10-17\",\"Statement\":[{\"Effect\":\"Allow\",\"Action\":[\"s3:GetObject\"],"
                        + "\"Resource\":[\"arn:aws:s3:::" + bucket + "/*\"]}]}");
        try (AdminClient client = application(key).admin()) {
            MinioAdmin leaked = new MinioAdmin(client, new SecureRandom());
            assertThatCode(() ->
                            leaked.addServiceAccount(call(), owner.principal().text(), "SECONDKEY" + suffix()))
                    .doesNotThrowAnyException();
        }
    }

    @Test
    void everyKeyOfARotationIsLimitedToItsBucket() {
        tools.createBucket(other);
        ProvisionedBucket first = provision();
        assertLimited(first);
        ProvisionedBucket second = rotated(first);
        assertLimited(first);
        assertLimited(second);
        store.retire(call(), bucket, owner, Set.of(id(second)));
        assertRefused(first);
        ProvisionedBucket third = rotated(second);
        assertThat(id(third)).isNotIn(id(first), id(second));
        assertRefused(first);
        assertLimited(second);
        assertLimited(third);
    }

    /** A stalled node of MinIO deletes the key of the first rotation when the second has already published another one. */
    @Test
    void aDeletionThatLandsLateEndsNoKeyOfALaterRotation() {
        ProvisionedBucket first = provision();
        ProvisionedBucket second = rotated(first);
        store.retire(call(), bucket, owner, Set.of(id(second)));
        ProvisionedBucket third = rotated(second);
        admin.removeServiceAccount(call(), owner.principal().text(), id(first));
        new S3Application(third).put("key", "text");
        assertThat(new S3Application(second).get("key")).isEqualTo("text");
    }

    /** MinIO creates it when the next attempt has already published another one. */
    @Test
    void aKeyThatIsCreatedLateEndsWithTheRotation() {
        ProvisionedBucket lost = provision();
        admin.removeServiceAccount(call(), owner.principal().text(), id(lost));
        ProvisionedBucket published = provision();
        AccessKey late = admin.addServiceAccount(call(), owner.principal().text(), id(lost));
        ProvisionedBucket landed = new ProvisionedBucket(published.connection(), late.credentials());
        new S3Application(landed).put("key", "text");
        store.retire(call(), bucket, owner, Set.of(id(published)));
        assertRefused(landed);
        assertThat(new S3Application(published).get("key")).isEqualTo("text");
    }

    @Test
    void aChangeOfTheAccessKeepsTheRecordOfTheKeys() {
        ProvisionedBucket lost = provision();
        store.update(
                call(), new UpdateRequest(bucket, owner, Access.of(AccessMode.READ_ONLY), BucketOptions.unmanaged()));
        ProvisionedBucket published = provision();
        new S3Application(published).put("key", "text");
        assertRefused(lost);
    }

    /** A change of a service account without a policy drops its inline policy. A key of ours has none to lose. */
    @Test
    void aKeyThatSomebodyChangesWithoutAPolicyStaysLimitedToItsBucket() {
        tools.createBucket(other);
        ProvisionedBucket made = provision();
        try (AdminClient client = administrator.clients().admin()) {
            String changed = "changed-secret-0123456789";
            byte[] body = new EncryptedBody(administrator.secretKey(), new SecureRandom())
                    .encrypt("{\"newPolicy\":null,\"newSecretKey\":\"" + changed + "\",\"newStatus\":\"on\"}");
            client.send(
                    call(),
                    "change a key",
                    AdminRequest.of(SdkHttpMethod.POST, "/minio/admin/v3/update-service-account")
                            .with("accessKey", id(made))
                            .withBody(body));
            assertRefused(made);
            assertLimited(new ProvisionedBucket(
                    made.connection(), new AccessKey(id(made), SecretValue.of(changed)).credentials()));
        }
    }

    @Test
    void aFurtherPolicyOfTheUserIsDetachedByTheNextProvisioning() {
        tools.createBucket(other);
        ProvisionedBucket made = provision();
        admin.attachPolicy(call(), owner.principal().text(), "readwrite," + policy());
        inOther(made).put("key", "text");
        assertLimited(provision());
    }

    @Test
    void deletingLeavesNoUserAndNoPolicyBehind() {
        provision();
        assertThat(admin.user(call(), owner.principal().text())).isPresent();
        store.delete(call(), new DeleteRequest(bucket, owner, OnNotEmpty.BLOCK));
        assertThat(admin.user(call(), owner.principal().text())).isEmpty();
        assertThat(tools.bucketExists(bucket)).isFalse();
        // A policy that does not exist cannot be attached.
        String witness = "witness-" + suffix();
        admin.putUser(call(), witness);
        try {
            assertThatThrownBy(() -> admin.attachPolicy(call(), witness, policy()))
                    .hasMessageContaining("NoSuchPolicy");
        } finally {
            admin.removeUser(call(), witness);
        }
    }

    @Test
    void aForeignUserOfTheSameNameIsNeitherUsedNorDeleted() {
        String user = owner.principal().text();
        admin.putUser(call(), user);
        admin.attachPolicy(call(), user, "readonly");
        try {
            assertThatThrownBy(() -> store.check(call(), bucket, owner)).isInstanceOf(Taken.class);
            assertThatThrownBy(this::provision).isInstanceOf(Taken.class);
            assertThatThrownBy(() -> store.revoke(call(), bucket, owner)).isInstanceOf(Denied.class);
            assertThat(admin.user(call(), user).orElseThrow().policies()).containsExactly("readonly");
        } finally {
            admin.removeUser(call(), user);
        }
    }

    /** Only a backup of another cluster that was restored here must not end the keys of that cluster. */
    @Test
    void aPolicyThatOnlyLooksLikeThatOfAnOwnerInAnotherClusterIsReported() {
        String user = owner.principal().text();
        String looksLikeIt = user + "@-";
        String another = user + "@another-cluster";
        for (String name : List.of(looksLikeIt, another)) {
            admin.putPolicy(call(), name, administration("admin:GetUser"));
        }
        admin.putUser(call(), user);
        try {
            admin.attachPolicy(call(), user, looksLikeIt);
            assertThatThrownBy(() -> store.revoke(call(), bucket, owner)).isInstanceOf(Denied.class);
            admin.attachPolicy(call(), user, another);
            store.revoke(call(), bucket, owner);
            assertThat(admin.user(call(), user).orElseThrow().policies()).containsExactly(another);
        } finally {
            admin.removeUser(call(), user);
            admin.removePolicy(call(), looksLikeIt);
            admin.removePolicy(call(), another);
        }
    }

    @Test
    void revokingEndsTheAccessOfAUserWhosePolicySomebodyReplaced() {
        ProvisionedBucket made = provision();
        new S3Application(made).put("key", "text");
        ProvisionedBucket second = rotated(made);
        String user = owner.principal().text();
        admin.attachPolicy(call(), user, "readonly");
        try {
            assertThat(new S3Application(made).get("key")).isEqualTo("text");
            assertThatThrownBy(() -> store.revoke(call(), bucket, owner)).isInstanceOf(Denied.class);
            assertRefused(made);
            assertRefused(second);
            assertThat(admin.user(call(), user).orElseThrow().policies()).containsExactly("readonly");
        } finally {
            admin.removeUser(call(), user);
        }
    }

    @Test
    void anObjectLargerThanTheQuotaIsRefused() {
        ObjectClient application = new S3Application(provision(new Quota(1_000, Quota.UNLIMITED)));
        application.put("small", "text");
        assertThatThrownBy(() -> application.put("large", "x".repeat(2_000)))
                .isInstanceOfSatisfying(
                        S3Exception.class,
                        e -> assertThat(e.awsErrorDetails().errorCode()).isEqualTo("XMinioAdminBucketQuotaExceeded"));
    }

    @Test
    void aQuotaThatMinioCannotEnforceIsRefusedBeforeTheBucketIsCreated() {
        assertThatThrownBy(() -> provision(new Quota(1_000, 10)))
                .isInstanceOf(Unsupported.class)
                .hasMessageContaining("number of objects");
        assertThatThrownBy(() -> provision(new Quota(0, Quota.UNLIMITED))).isInstanceOf(Unsupported.class);
        assertThat(tools.bucketExists(bucket)).isFalse();
    }

    @Test
    void aLifecycleThatMinioRejectsIsReportedWithItsReason() {
        Lifecycle abort =
                Lifecycle.parse("{\"Rules\":[{\"ID\":\"a\",\"Status\":\"Enabled\",\"Filter\":{\"Prefix\":\"\"},"
                        + "\"AbortIncompleteMultipartUpload\":{\"DaysAfterInitiation\":1}}]}");
        assertThatThrownBy(() -> provision(abort))
                .isInstanceOf(Invalid.class)
                .hasMessageContaining("lifecycle")
                .hasMessageContaining("Message of the store");
    }

    @Test
    void thePolicyOfTheAdministratorInTheDocsIsEnoughAndEveryPartOfItNeeded() throws IOException {
        String page = Files.readString(Path.of("../../docs/stores.md"));
        String policy = page.substring(page.indexOf("{\"Version\"", page.indexOf("Policy of the administrator")));
        policy = policy.substring(0, policy.indexOf("]}]}") + "]}]}".length());
        assertThatCode(useWith(policy)).doesNotThrowAnyException();
        List<String> actions = Pattern.compile("\"admin:\\w+\"")
                .matcher(policy)
                .results()
                .map(MatchResult::group)
                .toList();
        assertThat(actions).hasSizeGreaterThan(5);
        for (String action : actions) {
            assertThatThrownBy(useWith(policy.replace(action, "\"admin:ServerInfo\"")))
                    .as("without %s", action)
                    .isInstanceOfAny(Denied.class, Unavailable.class)
                    .hasMessageMatching(".*(AccessDenied|admin:RemoveServiceAccount).*");
            store.revoke(call(), bucket, owner);
            tools.deleteBucket(bucket);
        }
    }

    @Test
    void aMissingPermissionIsDeniedAndTheSameStoreContinuesWhenItIsGranted() {
        String user = "administrator-" + suffix();
        AccessKey key = createAdministrator(user, administration("admin:GetUser"));
        ProvisionRequest request = provisionRequest(bucket, owner);
        try (CompleteStore limited = tools.open(Map.of(), administrator.secret(key))) {
            assertThatThrownBy(() -> limited.provision(call(), request))
                    .isInstanceOf(Denied.class)
                    .hasMessageContaining("AccessDenied");
            admin.putPolicy(call(), user, administration("admin:*"));
            new S3Application(limited.provision(call(), request)).put("key", "text");
        } finally {
            admin.removeUser(call(), user);
            admin.removePolicy(call(), user);
        }
    }

    private AccessKey createAdministrator(String user, String policy) {
        admin.putPolicy(call(), user, policy);
        admin.putUser(call(), user);
        admin.attachPolicy(call(), user, user);
        return admin.addServiceAccount(call(), user, "ADM" + suffix());
    }

    private static String administration(String action) {
        return """
                {"Version": "2012-10-17", "Statement": [
                  {"Effect": "Allow", "Action": ["%s"]},
                  {"Effect": "Allow", "Action": ["s3:*"], "Resource": ["arn:aws:s3:::*"]}]}""".formatted(action);
    }

    /** Everything that a store does, as an administrator with this policy. */
    private ThrowingCallable useWith(String policy) {
        String user = "administrator-" + suffix();
        AccessKey key = createAdministrator(user, policy);
        return () -> {
            try (CompleteStore limited = tools.open(Map.of(), administrator.secret(key))) {
                limited.check(call(), bucket, owner);
                ProvisionedBucket made = limited.provision(
                        call(), provisionRequest(bucket, owner, new Quota(1_000_000, Quota.UNLIMITED)));
                limited.grant(call(), new GrantRequest(bucket, owner, Access.readWrite(), Set.of(id(made))));
                limited.retire(call(), bucket, owner, Set.of(id(made)));
                limited.suspend(call(), bucket, owner);
                limited.unsuspend(call(), bucket, owner);
                limited.delete(call(), new DeleteRequest(bucket, owner, OnNotEmpty.PURGE));
            } finally {
                admin.removeUser(call(), user);
                admin.removePolicy(call(), user);
            }
        };
    }

    private void assertLimited(ProvisionedBucket made) {
        ObjectClient own = new S3Application(made);
        own.put("key", "text");
        assertThat(own.get("key")).isEqualTo("text");
        for (ForbiddenOperation operation : ForbiddenOperation.values()) {
            assertThatThrownBy(() -> own.tryForbidden(operation)).isInstanceOf(Refused.class);
        }
        ObjectClient intruder = inOther(made);
        assertThatThrownBy(() -> intruder.put("key", "text")).isInstanceOf(Refused.class);
        assertThatThrownBy(() -> intruder.list("")).isInstanceOf(Refused.class);
        assertThatThrownBy(() -> intruder.tryForbidden(ForbiddenOperation.PUT_POLICY))
                .isInstanceOf(Refused.class);
    }

    private static void assertRefused(ProvisionedBucket made) {
        ObjectClient application = new S3Application(made);
        assertThatThrownBy(() -> application.put("key", "text")).isInstanceOf(Refused.class);
        assertThatThrownBy(() -> application.get("key")).isInstanceOf(Refused.class);
        assertThatThrownBy(() -> application.list("")).isInstanceOf(Refused.class);
    }

    private ObjectClient inOther(ProvisionedBucket made) {
        Connection own = made.connection();
        return new S3Application(
                new ProvisionedBucket(new Connection(other, own.endpoint(), own.values()), made.credentials()));
    }

    private ProvisionedBucket rotated(ProvisionedBucket made) {
        return store.grant(call(), new GrantRequest(bucket, owner, Access.readWrite(), Set.of(id(made))));
    }

    private ProvisionedBucket provision(BucketOption... options) {
        return store.provision(call(), provisionRequest(bucket, owner, options));
    }

    private AwsClients application(AccessKey key) {
        return new StoreAdministrator(
                        administrator.parameters(), key.id(), key.secret().reveal())
                .clients();
    }

    private String policy() {
        return owner.principal() + "@" + owner.clusterId();
    }

    private static String id(ProvisionedBucket made) {
        return made.credentials().keyId().orElseThrow();
    }

    private static String suffix() {
        return UUID.randomUUID().toString().substring(0, 8);
    }
}
