package io.bucketwright.app.claim;

import static org.assertj.core.api.Assertions.assertThat;

import io.bucketwright.api.BucketStatus;
import io.bucketwright.api.ObjectBucketClaim;
import io.bucketwright.api.Phase;
import io.bucketwright.app.claim.WaitOptions.Progress;
import io.bucketwright.buckets.objects.ClaimGrants;
import io.bucketwright.store.grants.Grant;
import io.bucketwright.store.grants.GrantLedger;
import io.bucketwright.store.grants.Grantee;
import io.fabric8.kubernetes.api.model.Event;
import io.fabric8.kubernetes.api.model.EventBuilder;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** What people read about claims. */
class ClaimTextTest {

    private static final Instant NOW = Instant.parse("2026-11-15T10:05:00Z");

    @ParameterizedTest
    @CsvSource({"PT-5S,0s", "PT0S,0s", "PT119S,119s", "PT2M,2m", "PT119M,119m", "PT47H,47h", "PT48H,2d"})
    void anAgeIsAsShortAsKubectlsOwn(Duration age, String text) {
        assertThat(ClaimText.duration(age)).isEqualTo(text);
    }

    @Test
    void aListHasColumnsAsWideAsTheyNeedToBe() {
        ObjectBucketClaim bound = ClaimSamples.said("photos", Phase.BOUND, true, "Bound", "Bucket photos-1 is ready.");
        bound.setSpec(bound.getSpec().toBuilder().bucketName("photos-1").build());
        List<String> table = ClaimRow.table(
                List.of(ClaimRow.of(bound, null), ClaimRow.of(ClaimSamples.silent("a-claim-with-a-long-name"), null)),
                NOW);
        assertThat(table)
                .containsExactly(
                        "NAMESPACE   NAME                       KIND                CLASS     BUCKET     PHASE     REASON   AGE",
                        "web         photos                     ObjectBucketClaim   buckets   photos-1   Bound     Bound    5m",
                        "web         a-claim-with-a-long-name   ObjectBucketClaim   buckets   -          Pending   -        5m");
    }

    @Test
    void textOfATenantCannotMoveTheCursorOfAnAdministrator() {
        ObjectBucketClaim hostile =
                ClaimSamples.said("photos", Phase.FAILED, false, "Invalid", "bucket \u001b[2J\"x\u202e\"\r\nevil");
        List<String> lines = describe(hostile, false).lines(NOW);
        assertThat(String.join("", lines)).doesNotContain("\u001b", "\r", "\n", "\u202e");
    }

    @Test
    void aDescriptionShowsConditionsEventsAndTheNamesOfKeys() {
        ObjectBucketClaim claim =
                ClaimSamples.said("photos", Phase.PENDING, false, "StoreUnavailable", "The store did not answer.");
        Event event = new EventBuilder()
                .withNewMetadata()
                .endMetadata()
                .withType("Warning")
                .withReason("StoreUnavailable")
                .withMessage("The store did not answer.")
                .withLastTimestamp("2026-11-15T10:04:30Z")
                .build();
        ClaimDescription description = new ClaimDescription(
                claim, Optional.empty(), Set.of("AWS_ACCESS_KEY_ID"), List.of(event), List.of(), false);
        assertThat(description.lines(NOW))
                .contains(
                        "Name:      photos",
                        "Phase:     Pending",
                        "  Ready=False StoreUnavailable for 4m: The store did not answer.",
                        "  keys AWS_ACCESS_KEY_ID",
                        "  30s ago Warning StoreUnavailable: The store did not answer.");
    }

    @Test
    void aClaimThatNobodyLookedAtSaysWhatToLookAt() {
        assertThat(describe(ClaimSamples.silent("photos"), true).lines(NOW))
                .anyMatch(line -> line.contains("StorageClass buckets does not exist"));
        assertThat(describe(ClaimSamples.silent("photos"), false).lines(NOW))
                .anyMatch(line -> line.contains("a controller for the provisioner of its class"));
    }

    /** As on the CRDs of NooBaa, or if another controller, which writes no conditions, bound the claim. */
    @Test
    void aBoundClaimWithoutConditionsIsNotReportedAsUnnoticed() {
        ObjectBucketClaim bound = ClaimSamples.silent("photos");
        bound.setStatus(BucketStatus.of(Phase.BOUND, List.of(), 1));
        assertThat(describe(bound, false).lines(NOW))
                .contains("  none. The controller of the claim writes none, or the CRD drops them, as that of NooBaa"
                        + " does. See the events.")
                .noneMatch(line -> line.contains("No controller"));
        assertThat(ClaimText.status(bound)).isEqualTo("The claim is Bound. It has no Ready condition.");
    }

    @Test
    void aDeletionSaysWhatItWaitsFor() {
        ObjectBucketClaim full =
                ClaimSamples.said("photos", Phase.BOUND, false, "BucketNotEmpty", "The bucket holds objects.");
        assertThat(DeleteCommand.progress(full, "uid-of-photos"))
                .isEqualTo(new Progress.Waiting("Waiting: BucketNotEmpty: The bucket holds objects."));
        ObjectBucketClaim others = ClaimSamples.said("photos", Phase.BOUND, true, "Bound", "Bucket is ready.");
        others.getMetadata().setFinalizers(List.of("example.com/audit"));
        assertThat(DeleteCommand.progress(others, "uid-of-photos"))
                .isEqualTo(new Progress.Waiting("Waiting for finalizers of other controllers: example.com/audit."));
    }

    @Test
    void aDeletionThatWaitsForTheControllerNamesItsFinalizer() {
        ObjectBucketClaim ours = ClaimSamples.said("photos", Phase.BOUND, true, "Bound", "Bucket is ready.");
        ours.getMetadata().setFinalizers(List.of("objectbucket.io/finalizer"));
        assertThat(DeleteCommand.progress(ours, "uid-of-photos"))
                .isEqualTo(new Progress.Waiting("Waiting for the controller to release the bucket and remove its"
                        + " finalizer objectbucket.io/finalizer."));
    }

    @Test
    void aClaimOfAMissingClassWaitsForTheClass() {
        assertThat(CreateCommand.progress(ClaimSamples.silent("photos"), true))
                .isEqualTo(new Progress.Waiting("Waiting: StorageClass buckets does not exist. The claim is bound after"
                        + " the class is created."));
        assertThat(CreateCommand.progress(ClaimSamples.silent("photos"), false))
                .isEqualTo(new Progress.Waiting("Waiting: The claim is Pending. It has no Ready condition."));
    }

    @Test
    void aNewClaimOfTheSameNameIsNotTheOneThatWasDeleted() {
        assertThat(DeleteCommand.progress(ClaimSamples.silent("photos"), "an-older-uid"))
                .isEqualTo(new Progress.Done());
        assertThat(DeleteCommand.progress(null, "uid-of-photos")).isEqualTo(new Progress.Done());
    }

    @Test
    void aRotationThatMustWaitForTheLastOneIsReported() {
        ObjectBucketClaim claim = ClaimSamples.said("photos", Phase.BOUND, true, "Bound", "Bucket is ready.");
        String at = "2026-11-15T10:05:00Z";
        assertThat(RotateCommand.progress(grants(at, ""), claim, at)).isEqualTo(new Progress.Done());
        assertThat(RotateCommand.progress(grants("", "2026-11-16T10:00:00Z"), claim, at))
                .isInstanceOfSatisfying(
                        Progress.Waiting.class,
                        waiting -> assertThat(waiting.reason()).contains("valid until 2026-11-16T10:00:00Z"));
    }

    private static ClaimGrants grants(String rotatedFor, String until) {
        Grant grant = Grant.issuing(
                        "1",
                        new Grantee("web", "photos", "u"),
                        new Grant.Account("bw-u", "", Map.of("rotatedFor", rotatedFor)),
                        Instant.EPOCH)
                .in(Grant.State.PUBLISHED, Instant.EPOCH);
        return new ClaimGrants(GrantLedger.EMPTY.with(until.isEmpty() ? grant : grant.endingAt(Instant.parse(until))));
    }

    private static ClaimDescription describe(ObjectBucketClaim claim, boolean classMissing) {
        return new ClaimDescription(claim, Optional.empty(), Set.of(), List.of(), List.of(), classMissing);
    }
}
