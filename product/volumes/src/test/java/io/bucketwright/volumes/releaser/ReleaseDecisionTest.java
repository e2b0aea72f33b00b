package io.bucketwright.volumes.releaser;

import static org.assertj.core.api.Assertions.assertThat;

import io.fabric8.kubernetes.api.model.PersistentVolumeClaim;
import io.fabric8.kubernetes.api.model.PersistentVolumeClaimStatusBuilder;
import io.fabric8.kubernetes.client.utils.Serialization;
import java.util.List;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Which volumes the releaser manages, and what happens to them. */
class ReleaseDecisionTest extends ReleaseDecisionTestCase {

    @ParameterizedTest
    @CsvSource({
        // label, legacy label, class id, managed claim, mode of volume, mode of class, decision
        "me,    ,      ,      false, ,     ,      Release FULL",
        ",      me,    ,      false, ,     ,      Release FULL",
        "me,    me,    ,      false, ,     ,      Release FULL",
        ",      ,      me,    false, ,     ,      Release FULL",
        ",      ,      ,      true,  ,     ,      Release FULL",
        ",      ,      ,      false, ,     ,      nothing",
        "other, ,      ,      true,  ,     ,      nothing",
        ",      other, ,      true,  ,     ,      nothing",
        ",      ,      other, true,  ,     ,      nothing",
        "other, ,      me,    true,  ,     ,      nothing",
        "me,    ,      other, false, ,     ,      Release FULL",
        "me,    other, ,      false, ,     ,      problem",
        "other, third, me,    false, ,     ,      nothing",
        "me,    ,      ,      false, soft, ,      Rebind",
        ",      ,      me,    false, ,     soft,  Rebind",
        ",      ,      me,    false, full, soft,  Release FULL",
        ",      ,      me,    false, none, full,  nothing",
        ",      ,      me,    false, ,     none,  nothing",
        "me,    ,      ,      false, ,     none,  nothing",
        ",      ,      ,      true,  ,     none,  nothing",
        ",      ,      ,      true,  ,     soft,  Rebind",
        ",      ,      me,    false, ,     Full,  problem",
        ",      ,      me,    false, ,     wipe,  problem",
        ",      ,      me,    false, wipe, full,  problem"
    })
    void aReleasedVolume(
            @Nullable String label,
            @Nullable String legacyLabel,
            @Nullable String classId,
            boolean managed,
            @Nullable String mode,
            @Nullable String classMode,
            String done) {
        put(labels, ReleaserNames.LEGACY_MANAGED_BY, legacyLabel);
        put(annotations, ReleaserNames.MODE, mode);
        given(managed, label, classId, classMode);
        assertDecided(done);
    }

    @ParameterizedTest
    @CsvSource({
        // automatic, managed claim, label, class id, class mode, phase, decision
        "true,  true,  ,      ,      ,     Bound,     Associate",
        "true,  false, ,      ,      ,     Bound,     nothing",
        "false, true,  ,      ,      ,     Bound,     nothing",
        "false, true,  ,      ,      ,     Released,  nothing",
        "true,  true,  me,    ,      ,     Bound,     nothing",
        "true,  true,  other, ,      ,     Bound,     nothing",
        "true,  true,  ,      me,    ,     Bound,     nothing",
        "true,  true,  ,      other, ,     Bound,     nothing",
        "true,  true,  ,      ,      none, Bound,     nothing",
        "true,  true,  ,      ,      soft, Bound,     Associate",
        "true,  true,  ,      ,      ,     Pending,   nothing",
        "true,  true,  ,      ,      ,     Failed,    nothing",
        "true,  true,  ,      ,      ,     Available, nothing"
    })
    void aVolumeOfAManagedClaim(
            boolean automatically,
            boolean managed,
            @Nullable String label,
            @Nullable String classId,
            @Nullable String classMode,
            String at,
            String done) {
        automatic = automatically;
        phase = at;
        given(managed, label, classId, classMode);
        assertDecided(done);
    }

    /** reclaimable-pv-releaser released volumes with policy Delete too, in a race with their provisioner. */
    @ParameterizedTest
    @ValueSource(strings = {"Delete", "Recycle", ""})
    void onlyRetainedVolumesAreChanged(String other) {
        policy = other;
        labels.put(ReleaserNames.MANAGED_BY, "me");
        assertDecided("nothing");
        labels.clear();
        managedClaim = true;
        phase = "Bound";
        assertDecided("nothing");
    }

    /** reclaimable-pv-releaser did not check the deletion timestamp. */
    @Test
    void aVolumeThatIsBeingDeletedIsNotChanged() {
        labels.put(ReleaserNames.MANAGED_BY, "me");
        deleted = "2026-01-01T00:00:00Z";
        assertDecided("nothing");
    }

    @Test
    void aVolumeWithoutABoundClaimNeedsNothing() {
        labels.put(ReleaserNames.MANAGED_BY, "me");
        claimUid = "";
        assertDecided("nothing");
    }

    @Test
    void aLabelForAnotherClaimIsRemovedAndReleasesNothing() {
        labels.put(ReleaserNames.MANAGED_BY, "me");
        annotations.put(ReleaserNames.ASSOCIATED, "older-uid");
        assertDecided("disassociate");
        annotations.put(ReleaserNames.ASSOCIATED, "claim-uid");
        assertDecided("Release FULL");
    }

    @Test
    void aSoftReleaseWaitsForAClaimThatCanBeBound() {
        softly();
        assertDecided("Rebind");
        claim = null;
        assertDecided("nothing");
        claim = claim("claim-uid", "2026-02-02T00:00:00Z");
        assertDecided("nothing");
        for (Consumer<PersistentVolumeClaim> change : List.<Consumer<PersistentVolumeClaim>>of(
                other -> other.getMetadata().setDeletionTimestamp("2026-02-04T00:00:00Z"),
                other -> other.getSpec().setVolumeName("another"),
                other -> other.setStatus(new PersistentVolumeClaimStatusBuilder()
                        .withPhase("Bound")
                        .build()),
                other -> other.getSpec().setStorageClassName("another"),
                other -> other.getSpec().setStorageClassName(null))) {
            PersistentVolumeClaim changed = claim("new-uid", "2026-02-03T00:00:00Z");
            change.accept(changed);
            claim = changed;
            assertDecided("nothing");
        }
    }

    /** Kubernetes binds such a claim to another volume, and then the volume would be reserved by name only. */
    @ParameterizedTest
    @ValueSource(
            strings = {
                "selector: {}",
                "resources: {requests: {storage: 2Gi}}",
                "accessModes: [ReadWriteOnce, ReadWriteMany]",
                "volumeMode: Block",
                "volumeAttributesClassName: gold"
            })
    void aSoftReleaseIsOnlyForAClaimThatFits(String field) {
        softly();
        claim = Serialization.unmarshal("""
                metadata: {namespace: ns, name: claim, uid: new-uid, creationTimestamp: "2026-02-03T00:00:00Z"}
                spec:
                  storageClassName: class
                  %s
                status: {phase: Pending}
                """.formatted(field), PersistentVolumeClaim.class);
        assertDecided("problem");
    }

    @Test
    void theFormerClaimIsReservedAgainIfItsSuccessorIsBoundElsewhere() {
        softly();
        annotations.put(ReleaserNames.FORMER_CLAIM, "v1/me/older-uid");
        assertDecided("Rebind");
        claimUid = "";
        phase = "Available";
        assertDecided("restore the former claim");
        annotations.put(ReleaserNames.FORMER_CLAIM, "v1/other/older-uid");
        assertDecided("nothing");
    }

    @Test
    void theFormerClaimIsForgottenWhenItsSuccessorIsBound() {
        softly();
        annotations.put(ReleaserNames.FORMER_CLAIM, "v1/me/older-uid");
        phase = "Bound";
        assertDecided("forget the former claim");
        annotations.put(ReleaserNames.FORMER_CLAIM, "v1/other/older-uid");
        assertDecided("nothing");
    }

    /** A tenant who gets the name of a deleted namespace must not get the data of its former tenant. */
    @ParameterizedTest
    @CsvSource({
        // recorded, namespace's uid, namespace's creation, decision
        ",                    ns-uid, 2026-01-01T00:00:00Z, Rebind",
        ",                    ns-uid, 2026-02-01T00:00:00Z, problem",
        ",                    ns-uid, 2026-02-02T00:00:00Z, problem",
        "v1/claim-uid/ns-uid, ns-uid, 2026-02-02T00:00:00Z, Rebind",
        "v1/claim-uid/ns-uid, other,  2026-02-02T00:00:00Z, problem",
        "v1/claim-uid/ns-uid, other,  2026-01-01T00:00:00Z, problem",
        "v1/older-uid/ns-uid, ns-uid, 2026-02-02T00:00:00Z, problem",
        "v2/claim-uid/ns-uid, ns-uid, 2026-01-01T00:00:00Z, problem"
    })
    void aSoftReleaseNeedsProofThatTheNamespaceIsTheSame(
            @Nullable String recorded, String uid, String created, String decision) {
        softly();
        put(annotations, ReleaserNames.NAMESPACE, recorded);
        namespace = namespace(uid, created);
        assertDecided(decision);
    }

    /** A volume that is restored from a backup is younger than the namespace, but its data may be of an earlier one. */
    @Test
    void theAgeOfAVolumeThatWasCreatedWithItsClaimReferenceIsNoProof() {
        softly();
        annotations.remove(ReleaserNames.BOUND_BY_CONTROLLER);
        assertDecided("problem");
    }

    @ParameterizedTest
    @CsvSource({
        // recorded, claim's uid, claim's creation, namespace's creation, decision
        ",                    claim-uid, 2026-02-03T00:00:00Z, 2026-01-01T00:00:00Z, record the namespace",
        ",                    claim-uid, 2026-02-03T00:00:00Z, 2026-02-01T00:00:00Z, record the namespace",
        ",                    claim-uid, 2026-02-03T00:00:00Z, 2026-02-03T00:00:00Z, record the namespace",
        "v1/older-uid/ns-uid, claim-uid, 2026-02-03T00:00:00Z, 2026-02-01T00:00:00Z, record the namespace",
        "v1/claim-uid/ns-uid, claim-uid, 2026-02-03T00:00:00Z, 2026-02-01T00:00:00Z, nothing",
        // The cache of claims lags: that claim was in a namespace that no longer exists.
        ",                    claim-uid, 2026-02-03T00:00:00Z, 2026-02-04T00:00:00Z, nothing",
        ",                    other,     2026-02-03T00:00:00Z, 2026-02-02T00:00:00Z, nothing"
    })
    void theNamespaceOfABoundVolumeIsRecorded(
            @Nullable String recorded, String uid, String claimed, String created, String decision) {
        softly();
        phase = "Bound";
        put(annotations, ReleaserNames.NAMESPACE, recorded);
        claim = claim(uid, claimed);
        namespace = namespace("ns-uid", created);
        assertDecided(decision);
        annotations.put(ReleaserNames.MODE, "full");
        assertDecided("nothing");
    }

    @Test
    void anUnknownModeIsReported() {
        labels.put(ReleaserNames.MANAGED_BY, "me");
        annotations.put(ReleaserNames.MODE, "wipe");
        assertThat(problem()).contains("wipe");
    }
}
