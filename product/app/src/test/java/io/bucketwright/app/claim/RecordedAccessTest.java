package io.bucketwright.app.claim;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.bucketwright.api.BucketClassRef;
import io.bucketwright.api.BucketIntent;
import io.bucketwright.api.BucketOrigin;
import io.bucketwright.api.BucketStatus;
import io.bucketwright.api.ObjectBucket;
import io.bucketwright.api.ObjectBucketNames;
import io.bucketwright.api.ObjectBucketSpec;
import io.bucketwright.api.Phase;
import io.bucketwright.api.ReclaimPolicy;
import io.bucketwright.api.cosi.Bucket;
import io.bucketwright.api.cosi.BucketAccess;
import io.bucketwright.api.objectstorage.ReleasedBucket;
import io.bucketwright.app.command.CommandException;
import io.bucketwright.store.grants.Grant;
import io.bucketwright.store.grants.Grant.Account;
import io.bucketwright.store.grants.Grant.Publication;
import io.bucketwright.store.grants.Grant.State;
import io.bucketwright.store.grants.GrantLedger;
import io.bucketwright.store.grants.GrantLedgerCodec;
import io.bucketwright.store.grants.Grantee;
import io.fabric8.kubernetes.api.model.ObjectMetaBuilder;
import io.fabric8.kubernetes.api.model.ObjectReferenceBuilder;
import io.fabric8.kubernetes.client.utils.Serialization;
import java.time.Instant;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** Who can open a bucket, as the objects of each API record it. */
class RecordedAccessTest {

    private static final Instant NOW = Instant.parse("2026-11-20T00:00:00Z");
    private static final Grantee CLAIM = new Grantee("team", "photos", "uid-1");

    private static GrantLedger rotated() {
        Grant former = Grant.issuing("1", CLAIM, new Account("bw-uid-1", "", Map.of()), NOW)
                .with(new Publication("photos", "AKIA1"))
                .in(State.RETIRING, NOW)
                .endingAt(NOW.plusSeconds(3600));
        Grant current = Grant.issuing("2", CLAIM, new Account("bw-uid-1", "", Map.of()), NOW)
                .with(new Publication("photos", "AKIA2"))
                .in(State.PUBLISHED, NOW);
        return GrantLedger.EMPTY.with(former).with(current);
    }

    private static ObjectBucket objectBucket(String name, String ledger) {
        BucketIntent intent = BucketIntent.of(
                "p",
                new BucketClassRef("fast", "uid-c", Map.of()),
                new ObjectReferenceBuilder()
                        .withNamespace(CLAIM.namespace())
                        .withName(CLAIM.name())
                        .withUid(CLAIM.uid())
                        .build(),
                BucketOrigin.NEW,
                "photos-1",
                ReclaimPolicy.DELETE);
        Map<String, String> state = new HashMap<>(intent.toState());
        state.put(ObjectBucketNames.GRANTS, ledger);
        state.put("bucketwright.io/set-options", "policy,quota");
        ObjectBucket bucket = new ObjectBucket();
        bucket.setMetadata(new ObjectMetaBuilder().withName(name).build());
        bucket.setSpec(ObjectBucketSpec.EMPTY.with("additionalState", state));
        return bucket;
    }

    private static ObjectBucket objectBucket(String name) {
        return objectBucket(name, GrantLedgerCodec.encode(rotated()));
    }

    @Test
    void anObjectBucketShowsTheKeysOfItsClaimAndWhatItsOptionsOpen() {
        List<AccessRow> rows = RecordedAccess.select(
                        "photos-1", List.of(RecordedAccess.of(objectBucket("obc-team-photos"))))
                .rows();
        assertThat(rows).extracting(AccessRow::keyId).containsExactly("AKIA1", "AKIA2", "");
        assertThat(rows).extracting(AccessRow::state).containsExactly("RETIRING", "PUBLISHED", "OPEN");
        assertThat(rows.get(0).until()).isEqualTo("2026-11-20T01:00:00Z");
        assertThat(rows.get(2).kind()).isEqualTo("option policy");
        List<String> table = AccessRow.table(rows);
        assertThat(table.get(0)).matches("GRANTEE +KIND +ACCOUNT +KEY ID +SECRET +STATE +SINCE +UNTIL +WHY");
        assertThat(table.get(2))
                .contains(
                        "team/photos",
                        "ObjectBucketClaim",
                        "bw-uid-1",
                        "AKIA2",
                        "PUBLISHED",
                        "ObjectBucketClaim exists");
    }

    @Test
    void theKeysOfADeletedClaimAreNotSaidToBeRevokedBeforeTheStoreConfirmedIt() {
        ObjectBucket released = objectBucket("obc-team-photos");
        released.setStatus(BucketStatus.of(Phase.RELEASED, List.of(), 1));
        assertThat(RecordedAccess.of(released).rows())
                .filteredOn(row -> !row.account().isEmpty())
                .allSatisfy(row -> assertThat(row.state()).isEqualTo("REVOKING"))
                .allSatisfy(row -> assertThat(row.why()).contains("not confirmed"));
    }

    @Test
    void aReleasedBucketShowsTheGrantsOfItsAnnotation() {
        ReleasedBucket bucket = new ReleasedBucket();
        bucket.setMetadata(new ObjectMetaBuilder()
                .withName("bc-1")
                .withAnnotations(Map.of(ObjectBucketNames.GRANTS, GrantLedgerCodec.encode(rotated())))
                .build());
        assertThat(RecordedAccess.of(bucket).rows())
                .extracting(AccessRow::grantee, AccessRow::kind)
                .hasSize(2)
                .allSatisfy(row -> assertThat(row.toList()).containsExactly("team/photos", "BucketAccess"));
        bucket.getMetadata().setAnnotations(Map.of());
        assertThat(RecordedAccess.of(bucket).rows()).isEmpty();
    }

    @Test
    void aBucketOfTheDesignOf2020ShowsItsAccessesAndItsAnonymousAccess() {
        Bucket bucket = Serialization.unmarshal("""
                apiVersion: cosi.io/v1alpha1
                kind: Bucket
                metadata: {name: b-1, uid: uid-b}
                spec:
                  provisioner: p
                  anonymousAccessMode: ro
                  protocol: {protocolSignature: s3, s3: {bucketName: photos-2}}
                """, Bucket.class);
        BucketAccess access = Serialization.unmarshal("""
                apiVersion: cosi.io/v1alpha1
                kind: BucketAccess
                metadata: {name: ba-1, uid: uid-a, creationTimestamp: "2026-11-20T00:00:00Z"}
                spec:
                  bucketAccessRequestName: reader
                  bucketAccessRequestNamespace: team
                  bucketAccessRequestUid: uid-r
                  applicationSecretName: keys
                  bucketUid: uid-b
                status: {phase: Bound}
                """, BucketAccess.class);
        List<AccessRow> rows = RecordedAccess.select("photos-2", List.of(RecordedAccess.of(bucket, List.of(access))))
                .rows();
        assertThat(rows).extracting(AccessRow::grantee).containsExactly("team/reader", "everyone");
        assertThat(rows).extracting(AccessRow::account).containsExactly("ba-uid-r", "");
        assertThat(rows).extracting(AccessRow::state).containsExactly("PUBLISHED", "OPEN");
    }

    @Test
    void aNameOfSeveralListsThemAndKindAndNameSelectOne() {
        ReleasedBucket other = new ReleasedBucket();
        other.setMetadata(new ObjectMetaBuilder().withName("photos-1").build());
        List<RecordedAccess> all = List.of(RecordedAccess.of(objectBucket("obc-a")), RecordedAccess.of(other));
        assertThatThrownBy(() -> RecordedAccess.select("photos-1", all))
                .isInstanceOf(CommandException.class)
                .hasMessageContaining("objectbucket/obc-a, bucket/photos-1");
        assertThat(RecordedAccess.select("bucket/photos-1", all).rows()).isEmpty();
        assertThatThrownBy(() -> RecordedAccess.select("nothing", all)).hasMessageContaining("has the name nothing");
    }

    @Test
    void aRecordThatCannotBeReadIsOneSentence() {
        assertThatThrownBy(() -> RecordedAccess.of(objectBucket("obc-a", "{\"version\":7}"))
                        .rows())
                .isInstanceOf(CommandException.class)
                .hasMessageContaining("objectbucket/obc-a")
                .hasMessageContaining("version 7");
        ObjectBucket foreign = new ObjectBucket();
        foreign.setMetadata(new ObjectMetaBuilder().withName("rook").build());
        assertThatThrownBy(() -> RecordedAccess.of(foreign).rows()).hasMessageContaining("another provisioner");
    }
}
