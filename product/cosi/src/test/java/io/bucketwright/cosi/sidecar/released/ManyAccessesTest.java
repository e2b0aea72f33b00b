package io.bucketwright.cosi.sidecar.released;

import static org.assertj.core.api.Assertions.assertThat;

import io.bucketwright.api.objectstorage.ReleasedBucket;
import io.bucketwright.api.objectstorage.ReleasedNames;
import io.bucketwright.runtime.ManualLeadership;
import io.bucketwright.runtime.ManualTime;
import io.bucketwright.runtime.objects.Metadata;
import io.bucketwright.runtime.testing.InMemoryApiServer;
import io.bucketwright.runtime.testing.InMemoryProcess;
import io.bucketwright.store.grants.Grant;
import io.bucketwright.store.grants.Grant.Account;
import io.bucketwright.store.grants.Grant.Publication;
import io.bucketwright.store.grants.GrantLedger;
import io.bucketwright.store.grants.GrantLedgerCodec;
import io.bucketwright.store.grants.Grantee;
import java.util.LinkedHashMap;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** A Bucket that has the grants of very many accesses, in the cache of a sidecar. */
class ManyAccessesTest {

    private static final int ACCESSES = 300;

    private final InMemoryApiServer server = new InMemoryApiServer();
    private final InMemoryProcess process = new InMemoryProcess(server, new ManualTime(), new ManualLeadership());
    private final Map<String, String> annotations = new LinkedHashMap<>();
    private ReleasedSidecarCaches caches;

    @BeforeEach
    void watch() {
        ReleasedBucket bucket = ReleasedObjects.readyBucket();
        annotations.put(ReleasedNames.GRANTS, GrantLedgerCodec.encode(ledger()));
        annotations.put("kubectl.kubernetes.io/last-applied-configuration", "{}");
        bucket.getMetadata().setAnnotations(annotations);
        server.create(bucket);
        caches = new ReleasedSidecarCaches(process.context().caches(), ReleasedObjects.DRIVER);
        process.start().settle();
    }

    @AfterEach
    void close() {
        process.close();
    }

    private static GrantLedger ledger() {
        GrantLedger ledger = GrantLedger.EMPTY;
        for (int number = 0; number < ACCESSES; number++) {
            ledger = ledger.with(rotated(ledger.nextId(), number));
        }
        return ledger;
    }

    private static Grant rotated(String id, int number) {
        String account = ReleasedNames.accountOf("%036d".formatted(number)) + "-" + id;
        Grantee grantee = new Grantee("team-of-photos", "photos-of-the-application", "%036d".formatted(number));
        return Grant.issuing(
                        id, grantee, new Account(account, account, Map.of("accessMode", "rw")), ReleasedObjects.NOW)
                .with(new Publication("photos-credentials", "", "AKIA%016d".formatted(number), "2026-11-17T11:00:00Z"));
    }

    @Test
    void theSidecarKnowsAllGranteesOfABucket() {
        assertThat(caches.buckets.list())
                .singleElement()
                .satisfies(bucket -> assertThat(Metadata.annotations(bucket)).isEqualTo(annotations));
        assertThat(caches.grantees()).hasSize(ACCESSES);
    }

    /** Kubernetes allows 256 KiB of annotations; docs/security.md has the number of accesses. */
    @Test
    void theGrantOfAnAccessIsAsLargeAsTheDocumentationSays() {
        assertThat(GrantLedgerCodec.encode(ledger()).length() / ACCESSES).isLessThanOrEqualTo((256 << 10) / 450);
    }
}
