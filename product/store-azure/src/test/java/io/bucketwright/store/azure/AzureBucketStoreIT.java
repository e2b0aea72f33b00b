package io.bucketwright.store.azure;

import static io.bucketwright.store.contract.StoreRequests.call;
import static io.bucketwright.store.contract.StoreRequests.grantRequest;
import static io.bucketwright.store.contract.StoreRequests.provisionRequest;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.bucketwright.store.AdoptRequest;
import io.bucketwright.store.CompleteStore;
import io.bucketwright.store.DeleteRequest;
import io.bucketwright.store.GrantRequest;
import io.bucketwright.store.MissingPart;
import io.bucketwright.store.OnNotEmpty;
import io.bucketwright.store.OnOpenBucket;
import io.bucketwright.store.Progress;
import io.bucketwright.store.ProvisionRequest;
import io.bucketwright.store.ProvisionRequest.Naming;
import io.bucketwright.store.access.Access;
import io.bucketwright.store.access.BucketName;
import io.bucketwright.store.access.BucketOwner;
import io.bucketwright.store.access.ClaimIdentity;
import io.bucketwright.store.access.Reclaim;
import io.bucketwright.store.connection.ConnectionData;
import io.bucketwright.store.connection.KeyRenames;
import io.bucketwright.store.connection.ProvisionedBucket;
import io.bucketwright.store.contract.ObjectClient.Refused;
import io.bucketwright.store.errors.StoreException.Invalid;
import io.bucketwright.store.errors.StoreException.Unavailable;
import io.bucketwright.store.errors.StoreException.Unsupported;
import io.bucketwright.store.options.BucketOption.Tags;
import io.bucketwright.store.options.BucketOptions;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse.BodyHandlers;
import java.net.http.HttpTimeoutException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.function.Function;
import java.util.function.UnaryOperator;
import org.junit.jupiter.api.Test;

/** What only containers with stored access policies have. */
final class AzureBucketStoreIT extends AzureTestBase {

    AzureBucketStoreIT(Azurite azurite) {
        super(azurite);
    }

    @Test
    void aContainerHasFivePoliciesAndTheNextUserWaitsUntilOneIsFree() {
        ProvisionedBucket first = provision(owner);
        List<BucketOwner> guests = List.of(newOwner(), newOwner(), newOwner());
        guests.forEach(this::grant);
        String old = first.credentials().keyId().orElseThrow();
        ProvisionedBucket rotated = store.grant(call(), grantRequest(bucket, owner, old));
        assertThat(acl().policies()).hasSize(PolicyPrincipals.MAX_POLICIES);
        new AzureApplication(first).put("old", "text");
        new AzureApplication(rotated).put("new", "text");
        BucketOwner late = newOwner();
        assertThatThrownBy(() -> grant(late))
                .isInstanceOf(Unavailable.class)
                .hasMessageContaining("Azure allows five")
                .hasMessageContaining(bucket.text());
        assertThat(grant(guests.getFirst()).credentials().keyId()).isPresent();
        store.retire(call(), bucket, owner, Set.of(rotated.credentials().keyId().orElseThrow()));
        new AzureApplication(grant(late)).put("late", "text");
    }

    @Test
    void aClaimCostsFiveRequestsToBindAndSevenToDelete() {
        List<String> sent = new ArrayList<>();
        AzureStoreFactory factory = new AzureStoreFactory();
        try (CompleteStore counted = factory.open(
                factory.parameters().parse(azurite.parameters()),
                azurite.administrator(),
                transport -> (request, remaining) -> {
                    sent.add(request.method() + " " + request.uri().getQuery());
                    return transport.send(request, remaining);
                })) {
            counted.check(call(), bucket, owner);
            counted.provision(call(), provisionRequest(bucket, owner));
            assertThat(sent)
                    .containsExactly(
                            "HEAD restype=container",
                            "PUT restype=container",
                            "PUT comp=lease&restype=container",
                            "PUT comp=acl&restype=container",
                            "PUT comp=lease&restype=container");
            sent.clear();
            assertThat(counted.verify(call(), bucket, owner)).isEmpty();
            assertThat(sent).containsExactly("HEAD restype=container", "GET comp=acl&restype=container");
            sent.clear();
            assertThat(counted.delete(call(), new DeleteRequest(bucket, owner, OnNotEmpty.BLOCK)))
                    .isEqualTo(new Progress.Done());
            assertThat(sent).hasSize(7);
        }
    }

    /** The first request to set the policies of a container lands after the second has published another token. */
    @Test
    void aFirstPolicyThatLandsLateDoesNotReplaceThePublishedOne() throws Exception {
        List<HttpRequest> lost = new ArrayList<>();
        AzureStoreFactory factory = new AzureStoreFactory();
        try (CompleteStore stalled = factory.open(
                factory.parameters().parse(azurite.parameters()),
                azurite.administrator(),
                transport -> (request, remaining) -> {
                    if (String.valueOf(request.uri().getQuery()).contains("comp=acl")) {
                        lost.add(request);
                        throw new HttpTimeoutException("stalled");
                    }
                    return transport.send(request, remaining);
                })) {
            assertThatThrownBy(() -> stalled.provision(call(), provisionRequest(bucket, owner)))
                    .isInstanceOf(Unavailable.class);
        }
        // Azure compares the time of changes in seconds.
        Thread.sleep(Duration.ofMillis(1_100));
        ProvisionedBucket published = provision(owner);
        assertThat(send(lost.getFirst())).as("nobody has a lease").isEqualTo(412);
        int duringALease = containers.change(call(), bucket, owner, _ -> send(lost.getFirst()));
        assertThat(duringALease).as("the same owner has a lease").isEqualTo(412);
        new AzureApplication(published).put("key", "text");
        assertThat(store.verify(call(), bucket, owner)).isEmpty();
    }

    private static int send(HttpRequest request) {
        try (HttpClient client = HttpClient.newHttpClient()) {
            return client.send(request, BodyHandlers.discarding()).statusCode();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException(e);
        }
    }

    /** A recreated container has no policies: the user of the old one has no access to it, and is missing. */
    @Test
    void theUserOfADeletedContainerIsMissingInTheNextOneOfItsName() {
        provision(owner);
        administrator.deleteBucket(bucket);
        provision(newOwner());
        assertThat(store.verify(call(), bucket, owner))
                .containsExactlyInAnyOrder(MissingPart.OWNERSHIP, MissingPart.PRINCIPAL);
    }

    /** Each change replaces all policies: without a lease, some of them would undo others. */
    @Test
    void noConcurrentChangeOfPoliciesIsLost() throws Exception {
        provision(owner, Access.none());
        List<BucketOwner> guests = List.of(newOwner(), newOwner(), newOwner(), newOwner());
        for (int round = 0; round < 5; round++) {
            List<ProvisionedBucket> granted = concurrently(guests, this::grantPatiently);
            for (ProvisionedBucket guest : granted) {
                new AzureApplication(guest).put("key", "text");
            }
            concurrently(guests, guest -> {
                patiently(() -> store.revoke(call(), bucket, guest));
                return true;
            });
            assertThat(acl().policies()).isEmpty();
            for (ProvisionedBucket guest : granted) {
                assertThatThrownBy(() -> new AzureApplication(guest).get("key")).isInstanceOf(Refused.class);
            }
        }
    }

    @Test
    void policiesAndPublicAccessThatTheAdministratorSetAreKept() {
        provision(owner);
        StoredPolicy foreign = new StoredPolicy("backup", "", "2099-01-01T00:00:00.0000000Z", "rl");
        editAcl(acl -> new ContainerAcl("blob", acl.with(foreign).policies()));
        BucketOwner guest = newOwner();
        grant(guest);
        store.suspend(call(), bucket, guest);
        store.revoke(call(), bucket, guest);
        assertThat(acl().policies()).contains(foreign).hasSize(2);
        assertThat(acl().publicAccess()).isEqualTo("blob");
    }

    @Test
    void aContainerThatIsOpenToOthersIsAdoptedOnlyIfItMayBeClosed() {
        for (UnaryOperator<ContainerAcl> opening : List.<UnaryOperator<ContainerAcl>>of(
                acl -> acl.with(new StoredPolicy("backup", "", "2099-01-01T00:00:00.0000000Z", "rl")),
                acl -> new ContainerAcl("container", acl.policies()))) {
            administrator.deleteBucket(bucket);
            administrator.createBucket(bucket);
            editAcl(opening);
            assertThatThrownBy(() -> store.adopt(call(), new AdoptRequest(bucket, owner, true)))
                    .isInstanceOf(Invalid.class)
                    .hasMessageContaining("onOpenBucket: close");
            store.adopt(call(), new AdoptRequest(bucket, owner, true, OnOpenBucket.CLOSE));
            assertThat(acl()).isEqualTo(ContainerAcl.CLOSED);
        }
    }

    @Test
    void aSuspendedPrincipalStaysSuspendedThroughARotation() {
        ProvisionedBucket made = provision(owner);
        store.suspend(call(), bucket, owner);
        ProvisionedBucket rotated = store.grant(
                call(),
                new GrantRequest(
                        bucket,
                        owner,
                        Access.readWrite(),
                        Set.of(made.credentials().keyId().orElseThrow())));
        for (ProvisionedBucket credentials : List.of(made, rotated)) {
            assertThatThrownBy(() -> new AzureApplication(credentials).put("key", "text"))
                    .isInstanceOf(Refused.class);
        }
        store.unsuspend(call(), bucket, owner);
        new AzureApplication(made).put("key", "text");
        new AzureApplication(rotated).put("key", "text");
    }

    @Test
    void namesThatOnlyS3HasAreRejected() {
        for (String name : List.of("with.dots", "two--hyphens")) {
            assertThatThrownBy(
                            () -> store.provision(call(), provisionRequest(new BucketName(name), owner, Access.none())))
                    .isInstanceOf(Invalid.class)
                    .hasMessageContaining(name);
        }
    }

    @Test
    void accessThatAPolicyCannotExpressIsRejectedBeforeTheContainerIsCreated() {
        for (Access access : List.of(
                Access.readWrite().withPrefix("ours/"),
                Access.readWrite().withActions(Set.of("s3:GetObject"), Set.of()))) {
            assertThatThrownBy(() -> provision(owner, access))
                    .isInstanceOf(Unsupported.class)
                    .hasMessageContaining("Azure Blob Storage cannot");
        }
        assertThat(administrator.bucketExists(bucket)).isFalse();
    }

    @Test
    void ownershipAndTagsAreMetadataOfTheContainer() {
        ClaimIdentity claim = new ClaimIdentity("team-a", "ns-uid", "my.claim");
        store.provision(
                call(),
                new ProvisionRequest(
                        bucket,
                        Naming.GENERATED,
                        owner,
                        claim,
                        Reclaim.DELETE,
                        Access.none(),
                        BucketOptions.of(new Tags(Map.of(
                                "cost_center",
                                "A 17",
                                "example.com/Team",
                                "b",
                                "7up",
                                "c",
                                "none",
                                "",
                                // Azure signs team_x2d_a before team1.
                                "team1",
                                "d",
                                "team-a",
                                "e"))),
                        Set.of()));
        assertThat(administrator.tags(bucket))
                .containsEntry("bucketwright.io/claim-namespace", "team-a")
                .containsEntry("bucketwright.io/claim-name", "my.claim")
                .containsEntry("bucketwright.io/owner", owner.uid())
                .containsEntry("cost_center", "A 17")
                .containsEntry("example.com/team", "b")
                .containsEntry("7up", "c")
                .containsEntry("team1", "d")
                .containsEntry("team-a", "e")
                .doesNotContainKey("none");
        for (Map<String, String> wrong : List.of(
                Map.of("with space", "x"),
                Map.of("bucketwright_owner", "me"),
                Map.of("BucketWright_Owner", "me"),
                Map.of("name", "\u00e4"),
                Map.of("name", " x"),
                Map.of("name", "1", "NAME", "2"))) {
            assertThatThrownBy(() -> store.provision(
                            call(),
                            new ProvisionRequest(
                                    bucket,
                                    Naming.GENERATED,
                                    owner,
                                    claim,
                                    Reclaim.DELETE,
                                    Access.none(),
                                    BucketOptions.of(new Tags(wrong)),
                                    Set.of())))
                    .as("%s", wrong)
                    .isInstanceOf(Invalid.class)
                    .hasMessageContaining("tag");
        }
    }

    @Test
    void theAccountKeyIsNotHandedOut() {
        ConnectionData data = ConnectionData.of(provision(owner), KeyRenames.none());
        assertThat(data.config().values()).noneMatch(value -> value.contains(azurite.key()));
        assertThat(data.secret().values()).noneMatch(value -> value.reveal().contains(azurite.key()));
        assertThat(data.secret()).containsOnlyKeys("AZURE_STORAGE_SAS_TOKEN", "AZURE_STORAGE_CONNECTION_STRING");
    }

    private <T> List<T> concurrently(List<BucketOwner> owners, Function<BucketOwner, T> action) throws Exception {
        try (ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor()) {
            List<Future<T>> results = new ArrayList<>();
            for (BucketOwner each : owners) {
                results.add(threads.submit(() -> action.apply(each)));
            }
            List<T> values = new ArrayList<>();
            for (Future<T> result : results) {
                values.add(result.get());
            }
            return values;
        }
    }

    private ProvisionedBucket grantPatiently(BucketOwner guest) {
        ProvisionedBucket[] granted = new ProvisionedBucket[1];
        patiently(() -> granted[0] = grant(guest));
        return granted[0];
    }

    /** As a controller does, that retries after a back-off. */
    private static void patiently(Runnable action) {
        for (int attempt = 1; ; attempt++) {
            try {
                action.run();
                return;
            } catch (Unavailable leased) {
                if (attempt == 5) {
                    throw leased;
                }
            }
        }
    }
}
