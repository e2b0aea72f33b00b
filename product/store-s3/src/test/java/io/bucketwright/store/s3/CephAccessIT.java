package io.bucketwright.store.s3;

import static io.bucketwright.store.contract.StoreRequests.call;
import static io.bucketwright.store.contract.StoreRequests.provisionRequest;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.bucketwright.store.CompleteStore;
import io.bucketwright.store.DeleteRequest;
import io.bucketwright.store.GrantRequest;
import io.bucketwright.store.MissingPart;
import io.bucketwright.store.OnNotEmpty;
import io.bucketwright.store.ProvisionRequest.Naming;
import io.bucketwright.store.UpdateRequest;
import io.bucketwright.store.access.Access;
import io.bucketwright.store.access.AccessMode;
import io.bucketwright.store.access.BucketName;
import io.bucketwright.store.access.BucketOwner;
import io.bucketwright.store.connection.Credentials.AccessKey;
import io.bucketwright.store.connection.ProvisionedBucket;
import io.bucketwright.store.connection.SecretValue;
import io.bucketwright.store.contract.Contract;
import io.bucketwright.store.contract.ObjectClient;
import io.bucketwright.store.errors.StoreException.Denied;
import io.bucketwright.store.errors.StoreException.Invalid;
import io.bucketwright.store.errors.StoreException.NotFound;
import io.bucketwright.store.errors.StoreException.Taken;
import io.bucketwright.store.errors.StoreException.Unavailable;
import io.bucketwright.store.options.AppliedOptions;
import io.bucketwright.store.options.BucketOption;
import io.bucketwright.store.options.BucketOption.AnonymousAccess;
import io.bucketwright.store.options.BucketOption.OwningUser;
import io.bucketwright.store.options.BucketOption.Quota;
import io.bucketwright.store.options.BucketOptions;
import io.bucketwright.store.s3.client.AdminRequest;
import io.bucketwright.store.s3.client.AwsClients;
import io.bucketwright.store.s3.client.S3Parameters;
import java.security.SecureRandom;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import software.amazon.awssdk.core.sync.RequestBody;
import software.amazon.awssdk.http.SdkHttpMethod;
import software.amazon.awssdk.services.s3.S3Client;
import software.amazon.awssdk.services.s3.model.S3Exception;

/** What is special about a Ceph object gateway: accounts, shared policies, owners of objects, enforced quotas. */
@ExtendWith(CephGateway.Provider.class)
final class CephAccessIT {

    private final CephGateway gateway;
    private final CompleteStore store;
    private final BucketName bucket = BucketName.generate("ceph", new SecureRandom());
    private final BucketOwner owner = newOwner();

    CephAccessIT(CephGateway gateway) {
        this.gateway = gateway;
        this.store = gateway.store();
    }

    @AfterEach
    void cleanUp() {
        store.delete(call(), new DeleteRequest(bucket, owner, OnNotEmpty.PURGE));
    }

    @Test
    void aFullQuotaIsRefusedAtOnceAndAHigherOneHeals() {
        ObjectClient application = gateway.application(provision(new Quota(100_000, 2)));
        application.put("one", "text");
        application.put("two", "text");
        assertThatThrownBy(() -> application.put("three", "text")).isInstanceOf(ObjectClient.Refused.class);

        store.update(call(), new UpdateRequest(bucket, owner, Access.none(), BucketOptions.of(new Quota(100_000, 3))));
        application.put("three", "text");
        application.delete("one");
        assertThatThrownBy(() -> application.put("large", "x".repeat(200_000)))
                .isInstanceOf(ObjectClient.Refused.class);
    }

    @Test
    void principalsKeepTheirAccessWhileThePolicyOfTheBucketChanges() {
        ObjectClient application = gateway.application(provision());
        BucketOptions anonymous = BucketOptions.of(AnonymousAccess.READ_ONLY);
        store.update(call(), new UpdateRequest(bucket, owner, Access.none(), anonymous));
        application.put("key", "text");
        assertThat(gateway.anonymous(bucket).orElseThrow().get("key")).isEqualTo("text");

        store.update(call(), UpdateRequest.removing(bucket, owner, AppliedOptions.of(anonymous)));
        application.put("key", "more");
        assertThatThrownBy(() -> gateway.anonymous(bucket).orElseThrow().get("key"))
                .isInstanceOf(ObjectClient.Refused.class);
    }

    @Test
    void statementsThatSomebodyDeletedAreMissing() {
        provision();
        gateway.account(bucket).deleteBucketPolicy(request -> request.bucket(bucket.text()));
        assertThat(store.verify(call(), bucket, owner)).containsExactly(MissingPart.ACCESS);
        provision();
        assertThat(store.verify(call(), bucket, owner)).isEmpty();
    }

    @Test
    void manyGrantsAtOnceAllTakeEffect() throws Exception {
        provision();
        List<BucketOwner> guests =
                IntStream.range(0, 8).mapToObj(_ -> newOwner()).toList();
        try (ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor()) {
            List<Future<ProvisionedBucket>> grants = guests.stream()
                    .map(guest -> threads.submit(() -> grant(guest, AccessMode.READ_WRITE)))
                    .toList();
            for (var grant : grants) {
                gateway.application(grant.get()).put("key", "text");
            }
        }
        guests.forEach(guest -> store.revoke(call(), bucket, guest));
        assertThat(policy()).contains(owner.principal().text());
        guests.forEach(
                guest -> assertThat(policy()).doesNotContain(guest.principal().text()));
    }

    @Test
    void aWriterCannotReadBackWhatItWroteNorPublishIt() {
        provision();
        BucketOwner guest = newOwner();
        S3Client writer = client(grant(guest, AccessMode.WRITE_ONLY));
        put(writer, "private", "key");
        assertRefused(() ->
                writer.getObjectAsBytes(request -> request.bucket(bucket.text()).key("key")));
        assertRefused(() -> writer.putObjectAcl(
                request -> request.bucket(bucket.text()).key("key").acl("public-read")));
        assertRefused(() -> put(writer, "public-read", "open"));
        assertRefused(() -> writer.putObject(
                request -> request.bucket(bucket.text())
                        .key("open")
                        .grantRead("uri=http://acs.amazonaws.com/groups/global/AllUsers"),
                RequestBody.fromString("text")));
        store.revoke(call(), bucket, guest);
    }

    @Test
    void theIdentityIsDetected() {
        try (CompleteStore detecting = gateway.open(Map.of("identity", "auto"))) {
            ProvisionedBucket made = detecting.provision(call(), provisionRequest(bucket, owner));
            assertThat(made.state()).containsEntry("identity", "ceph");
            gateway.application(made).put("key", "text");
        }
    }

    @Test
    void anAdministratorWithoutCapabilitiesIsReportedByTheDetection() {
        AccessKey key = gateway.key(gateway.user("plain-" + owner.uid()).uid());
        try (CompleteStore detecting =
                gateway.open(Map.of("identity", "auto"), gateway.administrator().secret(key))) {
            assertThatThrownBy(() -> detecting.check(call(), bucket, owner))
                    .isInstanceOf(Denied.class)
                    .hasMessageContaining("a Ceph object gateway")
                    .hasMessageContaining("AccessDenied");
        }
    }

    @Test
    void theAccountOfABucketIsDeletedWithIt() {
        provision();
        AdminRequest account = AdminRequest.of(SdkHttpMethod.GET, "/admin/user").with("uid", "bwb-" + bucket);
        assertThat(gateway.admin().send(call(), "read the account", account)).isNotEmpty();
        store.delete(call(), new DeleteRequest(bucket, owner, OnNotEmpty.BLOCK));
        assertThatThrownBy(() -> gateway.admin().send(call(), "read the account", account))
                .isInstanceOf(NotFound.class);
    }

    /** The gateway carries out a request late, in the name of the account that sent it. */
    @Test
    void aBucketThatIsCreatedAfterTheFirstOfTwoDeletionsIsDeletedByTheSecond() {
        provision();
        S3Client account = gateway.user("bwb-" + bucket).s3();
        store.delete(call(), new DeleteRequest(bucket, owner, OnNotEmpty.BLOCK, Naming.GIVEN, false));
        assertThat(gateway.bucketExists(bucket)).isFalse();
        account.createBucket(request -> request.bucket(bucket.text()));

        store.delete(call(), new DeleteRequest(bucket, owner, OnNotEmpty.BLOCK));
        assertThat(gateway.bucketExists(bucket)).isFalse();
        assertThatThrownBy(() -> gateway.key("bwb-" + bucket)).isInstanceOf(NotFound.class);
    }

    @Test
    void aNamedUserOwnsTheBucketAndTheClaimHasAKeyOfItsOwnForThatBucketOnly() {
        CephGateway.User alice = gateway.user("alice-" + owner.uid());
        String other = "other-" + bucket;
        alice.s3().createBucket(request -> request.bucket(other));
        ProvisionedBucket provisioned = provision(new OwningUser(alice.uid()));
        ObjectClient application = gateway.application(provisioned);
        application.put("key", "text");

        assertThat(gateway.bucketField(bucket, "owner").textValue()).isEqualTo(alice.uid());
        assertThat(alice.s3()
                        .getObjectAsBytes(
                                request -> request.bucket(bucket.text()).key("key"))
                        .asUtf8String())
                .isEqualTo("text");
        assertThat(provisioned.credentials().id())
                .isNotEqualTo(gateway.key(alice.uid()).id());
        assertRefused(() -> client(provisioned).listObjectsV2(request -> request.bucket(other)));

        assertThatThrownBy(() -> store.update(
                        call(),
                        new UpdateRequest(
                                bucket, owner, Access.none(), BucketOptions.of(new OwningUser("somebody-else")))))
                .isInstanceOf(Invalid.class)
                .hasMessageContaining("cannot be changed");
        store.delete(call(), new DeleteRequest(bucket, owner, OnNotEmpty.PURGE));
        assertThat(gateway.bucketExists(bucket)).isFalse();
        alice.s3().deleteBucket(request -> request.bucket(other));
    }

    @Test
    void aBucketOfTheNamedUserIsNotTakenOver() {
        CephGateway.User alice = gateway.user("alice-" + owner.uid());
        alice.s3().createBucket(request -> request.bucket(bucket.text()));
        try {
            assertThatThrownBy(() -> provision(new OwningUser(alice.uid()))).isInstanceOf(Taken.class);
        } finally {
            alice.s3().deleteBucket(request -> request.bucket(bucket.text()));
        }
    }

    @Test
    void ofTwoClaimsForOneNameAndOneUserOnlyOneGetsTheBucket() throws Exception {
        OwningUser alice = new OwningUser(gateway.user("alice-" + owner.uid()).uid());
        List<BucketOwner> claims = List.of(owner, newOwner(), newOwner(), newOwner());
        int bound = 0;
        try (ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor()) {
            List<Future<ProvisionedBucket>> calls = claims.stream()
                    .map(claim -> threads.submit(() -> provision(claim, alice)))
                    .toList();
            for (Future<ProvisionedBucket> call : calls) {
                try {
                    ProvisionedBucket _ = call.get();
                    bound++;
                } catch (ExecutionException e) {
                    assertThat(e.getCause()).isInstanceOfAny(Taken.class, Unavailable.class);
                }
            }
        }
        assertThat(bound).isEqualTo(1);
        for (BucketOwner claim : claims) {
            try {
                store.delete(call(), new DeleteRequest(bucket, claim, OnNotEmpty.PURGE));
            } catch (Taken ofAnotherClaim) {
                // One of the others deletes it.
            }
        }
        assertThat(gateway.bucketExists(bucket)).isFalse();
    }

    @Test
    void administratorsAndUsersOfBucketwrightCannotOwnABucketOfAClaim() {
        CephGateway.User capable = gateway.user("capable-" + owner.uid(), "user-caps", "users=read");
        CephGateway.User suspended = gateway.user("suspended-" + owner.uid(), "suspended", "true");
        provision();
        BucketName second = BucketName.generate("ceph", new SecureRandom());
        Stream.of(
                        capable.uid(),
                        gateway.administratorName(),
                        "bwb-" + bucket,
                        owner.principal().text())
                .forEach(uid -> assertThatThrownBy(() -> provision(second, newOwner(), new OwningUser(uid)))
                        .as(uid)
                        .isInstanceOf(Invalid.class)
                        .hasMessageContaining(uid));
        Stream.of(suspended.uid(), "nobody-" + owner.uid())
                .forEach(uid -> assertThatThrownBy(() -> provision(second, newOwner(), new OwningUser(uid)))
                        .as(uid)
                        .isInstanceOf(Unavailable.class)
                        .hasMessageContaining(uid));
        assertThat(gateway.bucketExists(second)).isFalse();
        AdminRequest reservation =
                AdminRequest.of(SdkHttpMethod.GET, "/admin/user").with("uid", "bwb-" + second);
        assertThatThrownBy(() -> gateway.admin().send(call(), "read the reservation", reservation))
                .isInstanceOf(NotFound.class);
    }

    private ProvisionedBucket provision(BucketOption... options) {
        return provision(owner, options);
    }

    private ProvisionedBucket provision(BucketOwner claim, BucketOption... options) {
        return provision(bucket, claim, options);
    }

    private ProvisionedBucket provision(BucketName name, BucketOwner claim, BucketOption... options) {
        return store.provision(call(), provisionRequest(name, claim, options));
    }

    private ProvisionedBucket grant(BucketOwner guest, AccessMode mode) {
        return store.grant(call(), new GrantRequest(bucket, guest, Access.of(mode), Set.of()));
    }

    private String policy() {
        return gateway.account(bucket)
                .getBucketPolicy(request -> request.bucket(bucket.text()))
                .policy();
    }

    private S3Client client(ProvisionedBucket provisioned) {
        AccessKey key = Contract.accessKey(provisioned);
        S3Parameters parameters = S3Parameters.of(S3Parameters.schema().parse(gateway.parameters(Map.of())));
        return new AwsClients(parameters, SecretValue.of(key.id()), key.secret(), List.of()).s3();
    }

    private void put(S3Client s3, String acl, String key) {
        s3.putObject(request -> request.bucket(bucket.text()).key(key).acl(acl), RequestBody.fromString("text"));
    }

    private static void assertRefused(Runnable request) {
        assertThatThrownBy(request::run)
                .isInstanceOfSatisfying(
                        S3Exception.class, e -> assertThat(e.statusCode()).isEqualTo(403));
    }

    private static BucketOwner newOwner() {
        return new BucketOwner("ceph-cluster", UUID.randomUUID().toString());
    }
}
