package io.bucketwright.store.azure;

import static io.bucketwright.store.contract.StoreRequests.call;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.bucketwright.store.CompleteStore;
import io.bucketwright.store.DeleteRequest;
import io.bucketwright.store.MissingPart;
import io.bucketwright.store.OnNotEmpty;
import io.bucketwright.store.Progress;
import io.bucketwright.store.access.BucketOwner;
import io.bucketwright.store.connection.ProvisionedBucket;
import io.bucketwright.store.contract.ObjectClient.Refused;
import io.bucketwright.store.errors.StoreException.NotEmpty;
import io.bucketwright.store.errors.StoreException.Unavailable;
import io.bucketwright.store.http.Transport;
import java.io.IOException;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.function.UnaryOperator;
import org.junit.jupiter.api.Test;

/** The deletion of containers and of their contents. */
final class AzureDeletionIT extends AzureTestBase {

    private final DeleteRequest deletion = new DeleteRequest(bucket, owner, OnNotEmpty.BLOCK);

    AzureDeletionIT(Azurite azurite) {
        super(azurite);
    }

    @Test
    void aNonEmptyContainerKeepsAllItsAccess() {
        AzureApplication application = new AzureApplication(provision(owner));
        ProvisionedBucket guest = grant(newOwner());
        application.put("key", "text");
        assertThatThrownBy(() -> store.delete(call(), deletion)).isInstanceOf(NotEmpty.class);
        assertThat(new AzureApplication(guest).get("key")).isEqualTo("text");
        application.delete("key");
        assertThat(store.delete(call(), deletion)).isEqualTo(new Progress.Done());
        assertThat(administrator.bucketExists(bucket)).isFalse();
    }

    /** An application writes between the first check and the end of all access; nothing else goes wrong. */
    @Test
    void aContainerThatIsWrittenToDuringItsDeletionKeepsAllItsAccess() {
        ContainerAcl before = openToOthers();
        try (CompleteStore racing = writtenToBeforeAccessEnds(Set.of())) {
            assertThatThrownBy(() -> racing.delete(call(), deletion)).isInstanceOf(NotEmpty.class);
        }
        assertThat(acl()).isEqualTo(before);
    }

    /** The response to the second check, or to the request that ends all access, is lost; others arrive. */
    @Test
    void aDeletionThatFailsAfterAllAccessHasEndedGivesItBack() {
        ContainerAcl before = openToOthers();
        for (Set<String> lost : List.of(Set.of("second list"), Set.of("end of access"))) {
            try (CompleteStore failing = writtenToBeforeAccessEnds(lost)) {
                assertThatThrownBy(() -> failing.delete(call(), deletion))
                        .as("%s", lost)
                        .isInstanceOf(Unavailable.class);
            }
            assertThat(acl()).as("%s", lost).isEqualTo(before);
            new AzureApplication(grant(newOwner())).delete("late");
            editAcl(_ -> before);
        }
    }

    /** A container can be empty and still be kept, for example by a legal hold. */
    @Test
    void anEmptyContainerThatTheStoreDoesNotDeleteKeepsAllItsAccess() {
        ContainerAcl before = openToOthers();
        try (CompleteStore failing = open(transport -> (request, remaining) -> {
            if (request.method().equals("DELETE")) {
                throw new IOException("no response");
            }
            return transport.send(request, remaining);
        })) {
            assertThatThrownBy(() -> failing.delete(call(), deletion)).isInstanceOf(Unavailable.class);
        }
        assertThat(acl()).isEqualTo(before);
        assertThat(store.delete(call(), deletion)).isEqualTo(new Progress.Done());
    }

    /** A crash: nothing can be given back by the same attempt. */
    @Test
    void theNextAttemptGivesBackTheAccessThatACrashedOneEnded() {
        ProvisionedBucket made = provision(owner);
        BucketOwner guest = newOwner();
        ProvisionedBucket granted = grant(guest);
        ContainerAcl before = openToOthers(acl());
        try (CompleteStore crashing = writtenToBeforeAccessEnds(Set.of("second list", "restoration"))) {
            assertThatThrownBy(() -> crashing.delete(call(), deletion)).isInstanceOf(Unavailable.class);
        }
        assertThat(store.verify(call(), bucket, guest)).contains(MissingPart.PRINCIPAL);
        StoredPolicy recreated = before.policies().getLast();
        editAcl(acl -> acl.with(recreated));
        for (ProvisionedBucket each : List.of(made, granted)) {
            assertThatThrownBy(() -> new AzureApplication(each).put("key", "text"))
                    .isInstanceOf(Refused.class);
        }
        assertThatThrownBy(() -> store.delete(call(), deletion)).isInstanceOf(NotEmpty.class);
        assertThat(acl()).isEqualTo(before);
        assertThat(new AzureApplication(granted).get("late")).isEqualTo("text");
    }

    /** Access that was revoked after a crash is not given back. */
    @Test
    void accessThatIsRevokedAfterACrashedDeletionStaysRevoked() {
        provision(owner);
        BucketOwner guest = newOwner();
        grant(guest);
        try (CompleteStore crashing = writtenToBeforeAccessEnds(Set.of("second list", "restoration"))) {
            assertThatThrownBy(() -> crashing.delete(call(), deletion)).isInstanceOf(Unavailable.class);
        }
        store.revoke(call(), bucket, guest);
        assertThatThrownBy(() -> store.delete(call(), deletion)).isInstanceOf(NotEmpty.class);
        assertThat(acl().policies()).hasSize(1).allMatch(policy -> policy.belongsTo(owner));
    }

    @Test
    void erasingDeletesBlobsInSlicesWithAnyName() {
        AzureApplication application = new AzureApplication(provision(owner));
        for (String name : List.of("plain", "a b/c+d", "100%", "\u00e4\u20ac", "q?x=1&y#z", "<xml>")) {
            application.put(name, "text");
        }
        for (int number = 0; number < 25; number++) {
            application.put("folder/" + number, "text");
        }
        ContainerContents contents = new ContainerContents(containers.service(), Duration.ofNanos(1));
        List<Long> slices = new ArrayList<>();
        while (contents.deleteSlice(call(), bucket) instanceof Progress.More more) {
            slices.add(more.removed());
        }
        assertThat(slices).containsExactly(10L, 10L, 10L, 1L);
        assertThat(application.list("")).isEmpty();
    }

    /** An application can acquire such a lease with its token. */
    @Test
    void erasingDeletesBlobsWithALeaseToo() {
        AzureApplication application = new AzureApplication(provision(owner));
        for (int number = 10; number < 40; number++) {
            application.put("blob-" + number, "text");
        }
        application.acquireEndlessLease("blob-10");
        assertThatThrownBy(() -> application.delete("blob-10")).hasMessageContaining("LeaseIdMissing");
        while (store.erase(call(), bucket, owner) instanceof Progress.More more) {
            assertThat(more.removed()).isPositive();
        }
        assertThat(application.list("")).isEmpty();
    }

    /**
     * A store in which an application writes a blob immediately before all access ends.
     *
     * @param lost which requests have no response: the one that ends all access, which takes effect, the second list or the
     *     restoration of the access
     */
    private CompleteStore writtenToBeforeAccessEnds(Set<String> lost) {
        List<String> written = new ArrayList<>();
        return open(transport -> (request, remaining) -> {
            boolean access = request.method().equals("PUT") && has(request, "comp=acl");
            if (access && written.isEmpty()) {
                written.add("late");
                containers
                        .service()
                        .send(
                                call(),
                                BlobRequest.blob("put a blob", "PUT", bucket, "late")
                                        .header("x-ms-blob-type", "BlockBlob")
                                        .body("text"));
                HttpResponse<byte[]> response = transport.send(request, remaining);
                if (lost.contains("end of access")) {
                    throw new IOException("the response is lost");
                }
                return response;
            }
            if (!written.isEmpty()
                    && ((access && lost.contains("restoration"))
                            || (has(request, "comp=list") && lost.contains("second list")))) {
                throw new IOException("no response");
            }
            return transport.send(request, remaining);
        });
    }

    private static boolean has(HttpRequest request, String parameter) {
        return request.uri().getQuery().contains(parameter);
    }

    private CompleteStore open(UnaryOperator<Transport> transport) {
        AzureStoreFactory factory = new AzureStoreFactory();
        return factory.open(factory.parameters().parse(azurite.parameters()), azurite.administrator(), transport);
    }

    /** A container with access of its owner, of another tool and of anonymous clients. */
    private ContainerAcl openToOthers() {
        provision(owner);
        return openToOthers(acl());
    }

    private ContainerAcl openToOthers(ContainerAcl acl) {
        editAcl(_ -> new ContainerAcl(
                "blob",
                acl.with(new StoredPolicy("backup", "", "2099-01-01T00:00:00.0000000Z", "rwl"))
                        .policies()));
        return acl();
    }
}
