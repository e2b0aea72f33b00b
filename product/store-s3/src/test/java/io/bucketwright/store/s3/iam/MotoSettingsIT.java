package io.bucketwright.store.s3.iam;

import static io.bucketwright.store.contract.StoreRequests.call;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

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
import io.bucketwright.store.errors.StoreException.Denied;
import io.bucketwright.store.options.AppliedOptions;
import io.bucketwright.store.options.BucketOption;
import io.bucketwright.store.options.BucketOption.AnonymousAccess;
import io.bucketwright.store.options.BucketOption.CannedAcl;
import io.bucketwright.store.options.BucketOptions;
import io.bucketwright.store.options.Capability;
import io.bucketwright.store.s3.client.SdkCalls;
import java.security.SecureRandom;
import java.util.Map;
import java.util.Set;
import java.util.UUID;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import software.amazon.awssdk.services.iam.IamClient;
import software.amazon.awssdk.services.s3.S3Client;
import software.amazon.awssdk.services.s3.model.ObjectOwnership;
import software.amazon.awssdk.services.s3.model.PublicAccessBlockConfiguration;
import software.amazon.awssdk.services.s3.model.ServerSideEncryption;
import software.amazon.awssdk.services.s3.model.ServerSideEncryptionByDefault;

/** Settings of AWS that no other store on this machine has, on moto with a least-privilege administrator. */
final class MotoSettingsIT {

    private static final MotoUnderTest.Server SERVER = MotoUnderTest.Server.start();
    private static final MotoUnderTest MOTO = new MotoUnderTest(SERVER);
    private static final String KEY = "arn:aws:kms:us-east-1:123456789012:key/1234-5678";

    private final S3Client s3 = SERVER.owner().s3();
    private final BucketName bucket = BucketName.generate("it", new SecureRandom());
    private final BucketOwner owner =
            new BucketOwner("it-cluster", UUID.randomUUID().toString());

    @AfterEach
    void cleanUp() {
        MOTO.deleteBucket(bucket);
    }

    @AfterAll
    static void stop() {
        SERVER.close();
    }

    @Test
    void thePublicAccessBlockIsOpenedOnlyAsFarAndAsLongAsAnOptionNeedsIt() {
        try (CompleteStore store = MOTO.open(Map.of("publicAccessBlock", "true"))) {
            provision(store);
            // As AWS does for every new bucket.
            s3.putPublicAccessBlock(request -> request.bucket(bucket.text())
                    .publicAccessBlockConfiguration(block -> block.blockPublicAcls(true)
                            .ignorePublicAcls(true)
                            .blockPublicPolicy(true)
                            .restrictPublicBuckets(true)));
            update(store, AnonymousAccess.READ_ONLY);
            assertThat(block().blockPublicPolicy()).isFalse();
            assertThat(block().restrictPublicBuckets()).isFalse();
            assertThat(block().blockPublicAcls()).isTrue();
            remove(store, Capability.ANONYMOUS_ACCESS);
            assertThat(block().blockPublicPolicy()).isTrue();
            assertThat(block().restrictPublicBuckets()).isTrue();
            update(store, CannedAcl.PUBLIC_READ);
            assertThat(block().blockPublicAcls()).isFalse();
            assertThat(block().ignorePublicAcls()).isFalse();
            assertThat(block().blockPublicPolicy()).isTrue();
            assertThat(objectOwnership()).isEqualTo(ObjectOwnership.BUCKET_OWNER_PREFERRED);
            remove(store, Capability.CANNED_ACL);
            assertThat(block().blockPublicAcls()).isTrue();
            assertThat(objectOwnership()).isEqualTo(ObjectOwnership.BUCKET_OWNER_ENFORCED);
        }
    }

    @Test
    void newBucketsAreEncryptedAsTheClassSays() {
        try (CompleteStore store = MOTO.open(Map.of("encryption", "SSE-S3"))) {
            provision(store);
            assertThat(encryption().sseAlgorithm()).isEqualTo(ServerSideEncryption.AES256);
        }
        try (CompleteStore store = MOTO.open(Map.of("encryption", "SSE-KMS", "kmsKey", KEY))) {
            provision(store);
            assertThat(encryption().sseAlgorithm()).isEqualTo(ServerSideEncryption.AWS_KMS);
            assertThat(encryption().kmsMasterKeyID()).isEqualTo(KEY);
            try (IamClient iam = SERVER.owner().clients().iam()) {
                assertThat(iam.getUserPolicy(request -> request.userName(
                                                owner.principal().text())
                                        .policyName("bucketwright"))
                                .policyDocument())
                        .contains(KEY.substring(KEY.indexOf("key/") + 4));
            }
        }
    }

    @Test
    void usersHaveThePathOfTheClassAndWhatOthersAttachedIsRemovedWithThem() {
        try (CompleteStore store = MOTO.open(Map.of("userPath", "/bucketwright/"));
                IamClient iam = SERVER.owner().clients().iam()) {
            provision(store);
            String user = owner.principal().text();
            assertThat(iam.getUser(request -> request.userName(user)).user().path())
                    .isEqualTo("/bucketwright/");
            String arn = iam.createPolicy(request -> request.policyName(user)
                            .policyDocument("{\"Version\":\"2012-10-17\",\"Statement\":[{\"Effect\":\"Deny\","
                                    + "\"Action\":\"*\",\"Resource\":\"*\"}]}"))
                    .policy()
                    .arn();
            iam.attachUserPolicy(request -> request.userName(user).policyArn(arn));
            iam.createGroup(request -> request.groupName(user));
            iam.addUserToGroup(request -> request.userName(user).groupName(user));
            assertThat(store.delete(call(), new DeleteRequest(bucket, owner, OnNotEmpty.PURGE)))
                    .isEqualTo(new Progress.Done());
            assertThat(iam.listUsers().users())
                    .noneMatch(left -> left.userName().equals(user));
        }
    }

    @Test
    void theAdministratorAssumesARoleOnlyWithItsExternalId() {
        String trust = "{\"Version\":\"2012-10-17\",\"Statement\":[{\"Effect\":\"Allow\",\"Principal\":{\"AWS\":\"*\"},"
                + "\"Action\":\"sts:AssumeRole\","
                + "\"Condition\":{\"StringEquals\":{\"sts:ExternalId\":\"cluster-7\"}}}]}";
        String role;
        try (IamClient iam = SERVER.owner().clients().iam()) {
            role = iam.createRole(request -> request.roleName("bucketwright").assumeRolePolicyDocument(trust))
                    .role()
                    .arn();
            iam.putRolePolicy(request -> request.roleName("bucketwright")
                    .policyName("bucketwright")
                    .policyDocument(MotoUnderTest.policy(SdkCalls.ofThisModule())));
        }
        Map<String, String> assuming = Map.of("assumeRole", role, "externalId", "cluster-7");
        try (CompleteStore store = MOTO.open(assuming, SERVER.owner().secret())) {
            provision(store);
        }
        Map<String, String> wrong = Map.of("assumeRole", role, "externalId", "cluster-8");
        try (CompleteStore store = MOTO.open(wrong, SERVER.owner().secret())) {
            assertThatThrownBy(() -> provision(store))
                    .isInstanceOf(Denied.class)
                    .hasMessageContaining("Could not assume the role " + role)
                    .hasMessageContaining("responded 403");
        }
    }

    private void provision(CompleteStore store) {
        assertThat(store.provision(
                                call(),
                                new ProvisionRequest(
                                        bucket,
                                        Naming.GENERATED,
                                        owner,
                                        Access.readWrite(),
                                        BucketOptions.unmanaged(),
                                        Set.of()))
                        .connection()
                        .bucket())
                .isEqualTo(bucket);
    }

    private void update(CompleteStore store, BucketOption option) {
        store.update(call(), new UpdateRequest(bucket, owner, Access.readWrite(), BucketOptions.of(option)));
    }

    private void remove(CompleteStore store, Capability kind) {
        store.update(call(), UpdateRequest.removing(bucket, owner, new AppliedOptions(Set.of(kind), Set.of())));
    }

    private PublicAccessBlockConfiguration block() {
        return s3.getPublicAccessBlock(request -> request.bucket(bucket.text())).publicAccessBlockConfiguration();
    }

    private ObjectOwnership objectOwnership() {
        return s3.getBucketOwnershipControls(request -> request.bucket(bucket.text()))
                .ownershipControls()
                .rules()
                .getFirst()
                .objectOwnership();
    }

    private ServerSideEncryptionByDefault encryption() {
        return s3.getBucketEncryption(request -> request.bucket(bucket.text()))
                .serverSideEncryptionConfiguration()
                .rules()
                .getFirst()
                .applyServerSideEncryptionByDefault();
    }
}
