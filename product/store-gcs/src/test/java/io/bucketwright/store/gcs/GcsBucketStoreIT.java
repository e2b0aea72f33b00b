package io.bucketwright.store.gcs;

import static io.bucketwright.store.contract.StoreRequests.call;
import static io.bucketwright.store.contract.StoreRequests.grantRequest;
import static io.bucketwright.store.contract.StoreRequests.provisionRequest;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.bucketwright.store.AdministratorSecret;
import io.bucketwright.store.AdoptRequest;
import io.bucketwright.store.BucketStore;
import io.bucketwright.store.CompleteStore;
import io.bucketwright.store.DeleteRequest;
import io.bucketwright.store.MissingPart;
import io.bucketwright.store.OnNotEmpty;
import io.bucketwright.store.OnOpenBucket;
import io.bucketwright.store.Progress;
import io.bucketwright.store.ProvisionRequest;
import io.bucketwright.store.ProvisionRequest.Naming;
import io.bucketwright.store.UpdateRequest;
import io.bucketwright.store.Usage;
import io.bucketwright.store.access.Access;
import io.bucketwright.store.access.BucketName;
import io.bucketwright.store.access.BucketOwner;
import io.bucketwright.store.access.ClaimIdentity;
import io.bucketwright.store.access.OwnershipTags;
import io.bucketwright.store.access.Reclaim;
import io.bucketwright.store.connection.Credentials.AccessKey;
import io.bucketwright.store.connection.Endpoint;
import io.bucketwright.store.connection.ProvisionedBucket;
import io.bucketwright.store.contract.Contract;
import io.bucketwright.store.contract.ObjectClient;
import io.bucketwright.store.contract.ObjectClient.Refused;
import io.bucketwright.store.errors.StoreException.Denied;
import io.bucketwright.store.errors.StoreException.Invalid;
import io.bucketwright.store.errors.StoreException.NotEmpty;
import io.bucketwright.store.errors.StoreException.Taken;
import io.bucketwright.store.errors.StoreException.Unavailable;
import io.bucketwright.store.errors.StoreException.Unsupported;
import io.bucketwright.store.options.AppliedOptions;
import io.bucketwright.store.options.BucketOption;
import io.bucketwright.store.options.BucketOption.ObjectLock;
import io.bucketwright.store.options.BucketOptions;
import io.bucketwright.testing.gcs.GcsResponse;
import io.bucketwright.testing.gcs.GcsServer;
import java.time.Duration;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Tests of the store for Google Cloud Storage in addition to the conformance tests of every store. */
final class GcsBucketStoreIT {

    private final GcsServer server = GcsServer.start();
    private final StrictStore tools = new StrictStore(server, Map.of());
    private final CompleteStore store = tools.store();
    private final BucketName bucket = new BucketName("photos");
    private final BucketOwner owner =
            new BucketOwner("Cluster.A", UUID.randomUUID().toString());

    @AfterEach
    void close() {
        store.close();
        server.close();
    }

    @Test
    void aBucketIsTaggedByTheRequestThatCreatesIt() {
        // A token, a read and the creation.
        BucketStore dying = tools.storeFailingAfter(3).orElseThrow();
        assertThatThrownBy(() -> dying.provision(call(), request())).isInstanceOf(Unavailable.class);
        assertThat(tools.tags(bucket)).containsEntry(OwnershipTags.OWNED_TAG, owner.uid());
    }

    @Test
    void aNewClaimCostsSevenRequestsAndATokenForAll() {
        store.provision(call(), request());
        assertThat(server.requests())
                .extracting(request -> request.replaceAll("bw-[a-z2-7]{27}", "ACCOUNT"))
                .containsExactly(
                        "POST /token",
                        "GET /storage/v1/b/photos",
                        "POST /storage/v1/b",
                        "GET /v1/projects/strict-project/serviceAccounts/ACCOUNT%40strict-project.iam.gserviceaccount.com",
                        "POST /v1/projects/strict-project/serviceAccounts",
                        "GET /storage/v1/b/photos/iam",
                        "PUT /storage/v1/b/photos/iam",
                        "POST /storage/v1/projects/strict-project/hmacKeys");
    }

    @Test
    void aVerificationCostsThreeReadsAndNoticesThatTheRoleWasDeletedWithTheBucket() {
        store.provision(call(), request());
        int before = server.requests().size();
        assertThat(store.verify(call(), bucket, owner)).isEmpty();
        assertThat(server.requests().subList(before, server.requests().size()))
                .hasSize(3)
                .allMatch(request -> request.startsWith("GET "));
        tools.deleteBucket(bucket);
        store.provision(call(), provisionRequest(bucket, new BucketOwner("Cluster.A", "next")));
        assertThat(store.verify(call(), bucket, owner))
                .containsExactlyInAnyOrder(MissingPart.OWNERSHIP, MissingPart.ACCESS);
    }

    @Test
    void aClaimCostsNineRequestsToBindAndTwelveToDelete() {
        store.check(call(), bucket, owner);
        store.provision(call(), request());
        assertThat(server.requests())
                .filteredOn(request -> !request.equals("POST /token"))
                .hasSize(9);
        int before = server.requests().size();
        store.delete(call(), new DeleteRequest(bucket, owner, OnNotEmpty.BLOCK));
        assertThat(server.requests().subList(before, server.requests().size())).hasSize(12);
    }

    @Test
    void onlyIamGivesAccessToANewBucket() {
        store.provision(call(), request());
        JsonNode configuration = tools.resource(bucket).path("iamConfiguration");
        assertThat(configuration.path("publicAccessPrevention").asText()).isEqualTo("enforced");
        assertThat(configuration
                        .path("uniformBucketLevelAccess")
                        .path("enabled")
                        .asBoolean())
                .isTrue();
    }

    @Test
    void longNamesOfClaimsAndUpperCaseIdsFitIntoLabels() {
        ClaimIdentity claim = new ClaimIdentity("n".repeat(63), "UID_of.it", "a.b-c".repeat(50));
        store.provision(
                call(),
                new ProvisionRequest(
                        bucket,
                        Naming.GIVEN,
                        owner,
                        claim,
                        Reclaim.DELETE,
                        Access.readWrite(),
                        BucketOptions.unmanaged(),
                        Set.of()));
        BucketOwner next = new BucketOwner("Cluster.A", "next");
        store.provision(
                call(),
                new ProvisionRequest(
                        bucket,
                        Naming.GIVEN,
                        next,
                        claim,
                        Reclaim.DELETE,
                        Access.readWrite(),
                        BucketOptions.unmanaged(),
                        Set.of()));
        assertThat(tools.tags(bucket))
                .containsEntry(OwnershipTags.OWNED_TAG, "next")
                .containsEntry(OwnershipTags.CLUSTER_TAG, "Cluster.A")
                .containsEntry(OwnershipTags.NAME_TAG, claim.name());
        store.release(call(), bucket, next);
        assertThat(tools.tags(bucket))
                .containsEntry(OwnershipTags.RELEASED_BY_TAG, "n".repeat(63) + "/UID_of.it")
                .doesNotContainKey(OwnershipTags.NAME_TAG)
                .hasSize(4);
    }

    @Test
    void aTagThatCannotBeALabelIsRejectedBeforeAnythingIsCreated() {
        for (Map<String, String> tags :
                List.of(Map.of("Team", "blue"), Map.of("team", "Blue Sky"), Map.of("bucketwright-io_owner", "me"))) {
            assertThatThrownBy(() -> store.provision(call(), request(new BucketOption.Tags(tags))))
                    .isInstanceOf(Invalid.class)
                    .hasMessageContaining("tag \"");
        }
        assertThat(server.requests()).isEmpty();
    }

    @Test
    void deletingLeavesNoServiceAccountAndNoBindingBehind() {
        BucketOwner guest = new BucketOwner("Cluster.A", "guest");
        store.provision(call(), request());
        store.grant(call(), grantRequest(bucket, guest));
        assertThat(server.accounts()).hasSize(2);
        store.revoke(call(), bucket, guest);
        assertThat(server.accounts()).hasSize(1);
        assertThat(server.bindings("photos")).doesNotContain("deleted:").containsOnlyOnce("serviceAccount:");
        store.delete(call(), new DeleteRequest(bucket, owner, OnNotEmpty.BLOCK));
        assertThat(server.accounts()).isEmpty();
    }

    @Test
    void aForeignServiceAccountOfTheSameNameIsNeitherUsedNorDeleted() {
        store.provision(call(), request());
        String email = server.accounts().iterator().next();
        store.delete(call(), new DeleteRequest(bucket, owner, OnNotEmpty.BLOCK));
        ObjectNode foreign = JsonNodeFactory.instance.objectNode().put("accountId", email.substring(0, 30));
        foreign.putObject("serviceAccount").put("displayName", "foreign");
        tools.send(ApiRequest.of(
                        "create",
                        "POST",
                        Endpoint.parse(server.endpoint()),
                        "/v1/projects/strict-project/serviceAccounts")
                .with(foreign));
        assertThatThrownBy(() -> store.provision(call(), request())).isInstanceOf(Taken.class);
        assertThatThrownBy(() -> store.delete(call(), new DeleteRequest(bucket, owner, OnNotEmpty.BLOCK)))
                .isInstanceOf(Denied.class)
                .hasMessageContaining("no longer names its owner");
        assertThat(server.accounts()).containsExactly(email);
    }

    /** Creation of service accounts is eventually consistent. */
    @Test
    void aServiceAccountThatIsNotVisibleYetIsWaitedFor() {
        for (String keys : List.of("hmac", "serviceAccount")) {
            BucketName name = new BucketName("photos-" + keys.toLowerCase(Locale.ROOT));
            StrictStore kind = new StrictStore(server, Map.of("principalKeys", keys));
            server.showNewAccountsAfter(2);
            BucketOwner late = new BucketOwner("Cluster.A", keys);
            ProvisionRequest request = provisionRequest(name, late);
            int failures = 0;
            ProvisionedBucket made = null;
            while (made == null) {
                try (CompleteStore open = kind.store()) {
                    made = open.provision(call(), request);
                } catch (Unavailable notYet) {
                    assertThat(notYet).hasMessageContaining("can take a minute to appear");
                    failures++;
                }
            }
            assertThat(failures).isEqualTo(2);
            kind.application(made).put("key", "text");
        }
        assertThat(server.accounts()).hasSize(2);
    }

    /** IAM may say that an account exists, and in the next response that it does not. */
    @Test
    void aServiceAccountThatIamDoesNotShowYetIsWaitedFor() {
        server.showNewAccountsAfter(1);
        hideAccountFrom(3);
        for (int attempt = 1; attempt <= 2; attempt++) {
            assertThatThrownBy(() -> store.provision(call(), request()))
                    .isInstanceOf(Unavailable.class)
                    .hasMessageContaining("can take a minute to appear");
        }
        tools.application(store.provision(call(), request())).put("key", "text");
        assertThat(server.accounts()).hasSize(1);
    }

    /** A server of IAM that does not have the account yet must not end a revocation before it begins. */
    @Test
    void aServiceAccountThatIamDoesNotShowIsRevoked() {
        for (String keys : List.of("hmac", "serviceAccount")) {
            StrictStore kind = new StrictStore(server, Map.of("principalKeys", keys));
            try (CompleteStore open = kind.store()) {
                for (int hidden = 1; hidden <= 2; hidden++) {
                    ObjectClient application = kind.application(open.provision(call(), request()));
                    application.put("key", "text");
                    hideAccountFrom(hidden);
                    if (hidden == 1) {
                        open.revoke(call(), bucket, owner);
                    } else {
                        // A key and a binding show that the account exists: it is looked for again.
                        assertThatThrownBy(() -> open.revoke(call(), bucket, owner))
                                .isInstanceOf(Unavailable.class)
                                .hasMessageContaining("can take a minute to appear");
                        assertThatThrownBy(() -> application.get("key")).isInstanceOf(Refused.class);
                        open.revoke(call(), bucket, owner);
                    }
                    assertThatThrownBy(() -> application.get("key")).isInstanceOf(Refused.class);
                    assertThat(server.accounts()).isEmpty();
                    assertThat(server.bindings("photos")).doesNotContain("serviceAccount:");
                }
            }
        }
    }

    @Test
    void aServiceAccountThatIamDoesNotShowIsSuspended() {
        for (String keys : List.of("hmac", "serviceAccount")) {
            StrictStore kind = new StrictStore(server, Map.of("principalKeys", keys));
            try (CompleteStore open = kind.store()) {
                ObjectClient application = kind.application(open.provision(call(), request()));
                application.put("key", "text");
                hideAccountFrom(1);
                open.suspend(call(), bucket, owner);
                assertThatThrownBy(() -> application.get("key")).isInstanceOf(Refused.class);
                open.unsuspend(call(), bucket, owner);
                assertThat(application.get("key")).isEqualTo("text");
                hideAccountFrom(2);
                assertThatThrownBy(() -> open.suspend(call(), bucket, owner)).isInstanceOf(Unavailable.class);
                open.suspend(call(), bucket, owner);
                assertThatThrownBy(() -> application.get("key")).isInstanceOf(Refused.class);
                open.revoke(call(), bucket, owner);
            }
        }
    }

    @Test
    void aRevocationWithoutAPrincipalCostsThreeReads() {
        store.provision(call(), request());
        int before = server.requests().size();
        store.revoke(call(), bucket, new BucketOwner("Cluster.A", "nobody"));
        assertThat(server.requests().subList(before, server.requests().size()))
                .hasSize(3)
                .allMatch(request -> request.startsWith("GET "));
    }

    /** Lets IAM respond to so many reads of the principal's service account that it does not exist. */
    private void hideAccountFrom(int reads) {
        AtomicInteger left = new AtomicInteger(reads);
        server.setFault(sent -> sent.startsWith("GET /v1/projects/strict-project/serviceAccounts/bw-")
                        && !sent.contains("/keys")
                        && left.getAndDecrement() > 0
                ? Optional.of(GcsResponse.of(
                        404, "application/json", "{\"error\":{\"code\":404,\"status\":\"NOT_FOUND\"}}", Map.of()))
                : Optional.empty());
    }

    /** A token outlives its key; the binding does not. */
    @Test
    void aTokenThatIsStillValidGivesNoAccessAfterTheRevocation() {
        StrictStore keys = new StrictStore(server, Map.of("principalKeys", "serviceAccount"));
        try (CompleteStore open = keys.store()) {
            ProvisionedBucket made = open.provision(call(), request());
            assertThat(made.credentials().values()).containsOnlyKeys("GOOGLE_SERVICE_ACCOUNT_JSON");
            TokenApplication suspended = new TokenApplication(made).keepingItsToken();
            suspended.put("key", "text");
            open.suspend(call(), bucket, owner);
            assertThatThrownBy(() -> suspended.get("key")).isInstanceOf(Refused.class);
            open.unsuspend(call(), bucket, owner);
            assertThat(suspended.get("key")).isEqualTo("text");
            open.revoke(call(), bucket, owner);
            assertThatThrownBy(() -> suspended.get("key")).isInstanceOf(Refused.class);
        }
    }

    @Test
    void anExistingBucketWithUnderscoresIsGrantedAndRevoked() {
        BucketName existing = new BucketName("my_bucket");
        BucketOwner guest = new BucketOwner("Cluster.A", "guest");
        tools.createBucket(JsonNodeFactory.instance.objectNode().put("name", "my_bucket"));
        store.grant(call(), grantRequest(existing, guest));
        assertThat(server.bindings("my_bucket")).contains("serviceAccount:");
        store.revoke(call(), existing, guest);
        assertThat(server.bindings("my_bucket")).doesNotContain("serviceAccount:");
    }

    @Test
    void theAdministratorsKeyIsNeverIssued() {
        AccessKey key = Contract.accessKey(store.provision(call(), request()));
        assertThat(server.administratorKey())
                .doesNotContain(key.id())
                .doesNotContain(key.secret().reveal());
    }

    @Test
    void aBucketThatIsOpenToOthersIsAdoptedOnlyIfItMayBeClosed() {
        ObjectNode withAcls = JsonNodeFactory.instance.objectNode().put("name", "photos");
        tools.createBucket(withAcls);
        AdoptRequest refusing = new AdoptRequest(bucket, owner, true);
        assertThatThrownBy(() -> store.adopt(call(), refusing))
                .isInstanceOf(Invalid.class)
                .hasMessageContaining("uniform bucket-level access");
        ObjectNode policy =
                JsonNodeFactory.instance.objectNode().put("version", 1).put("etag", "CA1=");
        policy.putArray("bindings")
                .addObject()
                .put("role", "roles/storage.objectViewer")
                .putArray("members")
                .add("allUsers");
        tools.send(ApiRequest.of("open", "PUT", Endpoint.parse(server.endpoint()), Buckets.path(bucket) + "/iam")
                .with(policy));
        assertThatThrownBy(() -> store.adopt(call(), refusing))
                .isInstanceOf(Invalid.class)
                .hasMessageContaining("IAM policy");
        store.adopt(call(), new AdoptRequest(bucket, owner, true, OnOpenBucket.CLOSE));
        assertThat(server.bindings("photos")).doesNotContain("allUsers");
        assertThat(new BucketState(bucket, tools.resource(bucket)).isUniform()).isTrue();
        assertThat(tools.tags(bucket)).containsEntry(OwnershipTags.ADOPTED_TAG, owner.uid());
    }

    @Test
    void anOrganizationThatPreventsPublicAccessRefusesAnonymousAccessWithTheReason() {
        server.preventPublicAccess();
        assertThatThrownBy(() -> store.provision(
                        call(), provisionRequest(bucket, owner, BucketOption.AnonymousAccess.READ_ONLY)))
                .isInstanceOf(Denied.class)
                .hasMessageContaining("Public access prevention is enforced");
        assertThat(server.bindings("photos")).doesNotContain("allUsers");
    }

    /** No predefined role allows them. */
    @Test
    void actionsWithoutARoleOfTheirOwnAreRefusedBeforeTheBucketIsCreated() {
        for (String action : List.of("list", "delete")) {
            Access access = Access.readWrite().withActions(Set.of(action), Set.of());
            assertThatThrownBy(() -> store.provision(call(), provisionRequest(bucket, owner, access)))
                    .isInstanceOf(Unsupported.class)
                    .hasMessageContaining("Google Cloud Storage cannot allow the policy action " + action);
        }
        assertThat(tools.bucketExists(bucket)).isFalse();
    }

    @Test
    void aRoleThatSomebodyGaveToEverybodyIsKeptWhenAnonymousAccessEnds() {
        store.provision(call(), provisionRequest(bucket, owner, BucketOption.AnonymousAccess.READ_ONLY));
        ((GcsBucketStore) store)
                .principals()
                .bindings()
                .set(
                        call(),
                        bucket,
                        "allAuthenticatedUsers",
                        List.of(new BucketRole("roles/storage.objectViewer", "")));
        store.update(call(), UpdateRequest.removing(bucket, owner, AppliedOptions.ALL_OPENING));
        assertThat(server.bindings("photos")).doesNotContain("allUsers").contains("allAuthenticatedUsers");
    }

    @Test
    void ofTwoThatChangeTheOwnershipAtTheSameTimeOneFails() {
        store.provision(call(), request());
        BucketState read = new BucketState(bucket, tools.resource(bucket));
        tools.addTag(bucket, "somebody", "else");
        GcsBucketStore gcs = (GcsBucketStore) store;
        assertThatThrownBy(() ->
                        gcs.buckets().setOwnership(call(), read, new OwnershipTags.Adopted(owner, ClaimIdentity.NONE)))
                .isInstanceOf(Unavailable.class);
        assertThatThrownBy(() -> gcs.buckets().delete(call(), read)).isInstanceOf(Unavailable.class);
        assertThat(tools.tags(bucket)).containsEntry(OwnershipTags.OWNED_TAG, owner.uid());
    }

    @Test
    void aFullBucketIsDeletedInSlices() {
        store.provision(call(), request(new BucketOption.Versioning(true)));
        int generations = 450;
        for (int i = 0; i < generations; i++) {
            tools.put(bucket, "folder/\u00fc " + i % 300 + "?#%", "text");
        }
        GcsBucketStore gcs = (GcsBucketStore) store;
        CompleteStore oneBatchPerCall = new GcsBucketStore(
                gcs.client(),
                gcs.parameters(),
                gcs.buckets(),
                new BucketContents(gcs.client(), gcs.parameters().endpoint(), Duration.ZERO),
                gcs.principals());
        DeleteRequest request = new DeleteRequest(bucket, owner, OnNotEmpty.PURGE);
        assertThatThrownBy(() -> store.delete(call(), new DeleteRequest(bucket, owner, OnNotEmpty.BLOCK)))
                .isInstanceOf(NotEmpty.class);
        for (int left = generations; left > 0; left -= 200) {
            assertThat(oneBatchPerCall.delete(call(), request)).isEqualTo(new Progress.More(Math.min(200, left)));
        }
        assertThat(oneBatchPerCall.delete(call(), request)).isEqualTo(new Progress.Done());
        assertThat(tools.bucketExists(bucket)).isFalse();
    }

    /** A page of a list may be empty although more follow. */
    @Test
    void anEmptyPageIsNotTheEndOfAList() {
        store.provision(call(), request());
        tools.put(bucket, "key", "text");
        startWithAnEmptyPage("GET /storage/v1/b/photos/o", "storage#objects");
        assertThatThrownBy(() -> store.delete(call(), new DeleteRequest(bucket, owner, OnNotEmpty.BLOCK)))
                .isInstanceOf(NotEmpty.class);
        assertThat(server.accounts()).hasSize(1);
    }

    @Test
    void anEmptyPageDoesNotEndAnErasure() {
        store.provision(call(), request());
        tools.put(bucket, "key", "text");
        startWithAnEmptyPage("GET /storage/v1/b/photos/o", "storage#objects");
        while (store.erase(call(), bucket, owner) instanceof Progress.More) {
            // Continue until the bucket is empty.
        }
        assertThat(store.usage(call(), bucket)).isEqualTo(new Usage(0, 0, true));
    }

    @Test
    void anEmptyPageIsNotTheEndOfAListOfUploads() {
        store.provision(call(), request());
        server.addUpload("photos", "unfinished");
        AtomicBoolean sent = new AtomicBoolean();
        server.setFault(request -> request.equals("GET /photos") && !sent.getAndSet(true)
                ? Optional.of(GcsResponse.of(
                        200,
                        "application/xml",
                        "<ListMultipartUploadsResult><NextKeyMarker>a</NextKeyMarker><NextUploadIdMarker>1"
                                + "</NextUploadIdMarker><IsTruncated>true</IsTruncated></ListMultipartUploadsResult>",
                        Map.of()))
                : Optional.empty());
        assertThat(store.delete(call(), new DeleteRequest(bucket, owner, OnNotEmpty.PURGE)))
                .isEqualTo(new Progress.Done());
        assertThat(server.requests()).anyMatch(request -> request.startsWith("DELETE /photos/unfinished"));
    }

    @Test
    void anEmptyPageDoesNotProveThatABucketBelongsToAnotherProject() {
        store.provision(call(), request());
        server.deny(Set.of("storage.buckets.get"));
        startWithAnEmptyPage("GET /storage/v1/b", "storage#buckets");
        assertThatThrownBy(() -> store.erase(call(), bucket, owner)).isInstanceOf(Denied.class);
    }

    private void startWithAnEmptyPage(String list, String kind) {
        AtomicBoolean sent = new AtomicBoolean();
        server.setFault(request -> request.equals(list) && !sent.getAndSet(true)
                ? Optional.of(GcsResponse.of(
                        200, "application/json", "{\"kind\":\"" + kind + "\",\"nextPageToken\":\"0\"}", Map.of()))
                : Optional.empty());
    }

    @Test
    void aPurgeReportsObjectsThatARetentionPolicyProtects() {
        store.provision(call(), request(new ObjectLock(ObjectLock.Mode.GOVERNANCE, 1)));
        tools.put(bucket, "kept", "text");
        DeleteRequest purge = new DeleteRequest(bucket, owner, OnNotEmpty.PURGE);
        assertThatThrownBy(() -> store.delete(call(), purge))
                .isInstanceOf(NotEmpty.class)
                .hasMessageContaining("kept");
        store.update(
                call(),
                UpdateRequest.removing(
                        bucket,
                        owner,
                        AppliedOptions.of(BucketOptions.of(new ObjectLock(ObjectLock.Mode.GOVERNANCE, 1)))));
        Progress progress = new Progress.More(1);
        while (progress instanceof Progress.More) {
            progress = store.delete(call(), purge);
        }
        assertThat(tools.bucketExists(bucket)).isFalse();
    }

    @Test
    void objectsUnderAHoldDoNotKeepTheOthers() {
        store.provision(call(), request());
        for (int i = 0; i < 250; i++) {
            tools.put(bucket, "a-held-" + i, "text");
        }
        tools.put(bucket, "b-free", "text");
        server.addUpload("photos", "unfinished");
        server.setFault(request -> request.startsWith("DELETE /storage/v1/b/photos/o/a-held")
                ? Optional.of(GcsFailureIT.error(403, "objectUnderActiveHold", ""))
                : Optional.empty());
        DeleteRequest purge = new DeleteRequest(bucket, owner, OnNotEmpty.PURGE);
        assertThatThrownBy(() -> {
                    while (store.delete(call(), purge) instanceof Progress.More) {
                        // Continue until the rest cannot be deleted.
                    }
                })
                .isInstanceOf(NotEmpty.class)
                .hasMessageContaining("a-held-");
        assertThat(server.requests()).contains("DELETE /storage/v1/b/photos/o/b-free");
        server.setFault(_ -> Optional.empty());
        while (store.delete(call(), purge) instanceof Progress.More) {
            // Continue until the bucket is deleted.
        }
        assertThat(tools.bucketExists(bucket)).isFalse();
    }

    /** Whoever answers may not be the store, such as a proxy; the deletion would never end. */
    @Test
    void objectsThatAreListedAndNotDeletedAreReported() {
        store.provision(call(), request());
        tools.put(bucket, "stale", "text");
        server.setFault(request -> request.startsWith("DELETE /storage/v1/b/photos/o/stale")
                ? Optional.of(GcsFailureIT.error(404, "notFound", "No such object"))
                : Optional.empty());
        assertThatThrownBy(() -> store.erase(call(), bucket, owner))
                .isInstanceOf(NotEmpty.class)
                .hasMessageContaining("lists and does not delete")
                .hasMessageContaining("stale");
    }

    /** The next owner of an erased bucket must not restore what the former one deleted. */
    @Test
    void aBucketIsErasedWhenNobodyCanRestoreItsObjects() {
        store.provision(call(), request());
        ObjectNode week = JsonNodeFactory.instance.objectNode();
        week.putObject("softDeletePolicy").put("retentionDurationSeconds", "604800");
        tools.send(ApiRequest.of("change", "PATCH", Endpoint.parse(server.endpoint()), Buckets.path(bucket))
                .with(week));
        tools.put(bucket, "secret", "text");
        server.setSoftDeleted(bucket.text(), Set.of("deleted-before"));
        assertThatThrownBy(() -> {
                    while (store.erase(call(), bucket, owner) instanceof Progress.More) {
                        // Continue until it is empty.
                    }
                })
                .isInstanceOf(Unavailable.class)
                .hasMessageContaining("can still be restored");
        assertThat(tools.resource(bucket)
                        .path("softDeletePolicy")
                        .path("retentionDurationSeconds")
                        .asLong())
                .isZero();
        server.setSoftDeleted(bucket.text(), Set.of());
        assertThat(store.erase(call(), bucket, owner)).isEqualTo(new Progress.Done());
    }

    /** Otherwise the bucket waits for seven days. */
    @Test
    void aBucketThatIsToBeErasedIsCreatedWithoutSoftDelete() {
        store.provision(call(), request(Reclaim.ERASE));
        assertThat(tools.resource(bucket).path("softDeletePolicy"))
                .isEqualTo(JsonNodeFactory.instance.objectNode().put("retentionDurationSeconds", "0"));
        tools.deleteBucket(bucket);
        store.provision(call(), request(Reclaim.DELETE));
        assertThat(tools.resource(bucket).has("softDeletePolicy")).isFalse();
    }

    @Test
    void complianceLocksTheRetentionPolicyOnce() {
        ProvisionRequest request = request(new ObjectLock(ObjectLock.Mode.COMPLIANCE, 7));
        store.provision(call(), request);
        store.provision(call(), request);
        JsonNode policy = tools.resource(bucket).path("retentionPolicy");
        assertThat(policy.path("isLocked").asBoolean()).isTrue();
        assertThat(policy.path("retentionPeriod").asLong()).isEqualTo(7 * 86_400);
        assertThat(server.requests())
                .filteredOn(sent -> sent.endsWith("/lockRetentionPolicy"))
                .hasSize(1);
        store.update(call(), UpdateRequest.removing(bucket, owner, AppliedOptions.of(request.options())));
        assertThat(tools.resource(bucket)
                        .path("retentionPolicy")
                        .path("isLocked")
                        .asBoolean())
                .isTrue();
    }

    @Test
    void policyActionsAreUnsupported() {
        Access narrowed = Access.readWrite().withActions(Set.of("storage:Get*"), Set.of());
        assertThatThrownBy(() -> store.provision(call(), provisionRequest(bucket, owner, narrowed)))
                .isInstanceOf(Unsupported.class);
        assertThat(server.requests()).isEmpty();
    }

    @Test
    void thePodsIdentityCanBeTheAdministrator() {
        StrictStore ambient = new StrictStore(server, Map.of("credentials", "ambient", "project", GcsServer.PROJECT));
        GcsStoreFactory factory = new GcsStoreFactory();
        try (CompleteStore open =
                factory.open(factory.parameters().parse(ambient.parameters()), AdministratorSecret.none())) {
            tools.application(open.provision(call(), request())).put("key", "text");
        }
        assertThat(server.requests())
                .contains("GET /computeMetadata/v1/instance/service-accounts/default/token")
                .doesNotContain("POST /token");
    }

    private ProvisionRequest request(Reclaim reclaim) {
        return new ProvisionRequest(
                bucket,
                Naming.GIVEN,
                owner,
                ClaimIdentity.NONE,
                reclaim,
                Access.readWrite(),
                BucketOptions.unmanaged(),
                Set.of());
    }

    private ProvisionRequest request(BucketOption... options) {
        return provisionRequest(bucket, owner, options);
    }
}
