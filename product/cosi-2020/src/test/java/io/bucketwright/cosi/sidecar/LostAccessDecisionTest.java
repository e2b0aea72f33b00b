package io.bucketwright.cosi.sidecar;

import static org.assertj.core.api.Assertions.assertThat;

import io.bucketwright.api.cosi.Bucket;
import io.bucketwright.api.cosi.CosiNames;
import io.bucketwright.cosi.sidecar.driver.DriverMethod;
import io.bucketwright.cosi.sidecar.driver.SidecarSamples;
import io.bucketwright.runtime.controller.Decision;
import io.bucketwright.runtime.controller.FailedAttempt;
import io.bucketwright.runtime.controller.Problem;
import io.bucketwright.runtime.controller.Step;
import io.fabric8.kubernetes.api.model.Secret;
import java.time.Duration;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.junit.jupiter.api.Test;

/** Secrets whose BucketAccess somebody removed by force. */
class LostAccessDecisionTest {

    private static final String FIRST = "ba-access-request-uid";
    private static final String SECOND = FIRST + "-2";

    @Test
    void bothAccountsAreRevokedBeforeTheSecretIsDeleted() {
        Secret secret = SidecarSamples.secret(_ -> {});
        assertThat(next(secret, Set.of())).isEqualTo("revoke " + FIRST + " as " + FIRST);
        assertThat(next(secret, Set.of(FIRST))).isEqualTo("revoke " + SECOND + " as " + SECOND);
        assertThat(next(secret, Set.of(FIRST, SECOND))).isEqualTo("Delete");
        Secret deleted =
                SidecarSamples.secret(object -> object.getMetadata().setDeletionTimestamp("2026-11-15T11:00:00Z"));
        assertThat(next(deleted, Set.of(FIRST, SECOND))).isEqualTo("Merge");
    }

    @Test
    void theIdsOfTheDriverAreThoseInTheSecret() {
        Secret rotated = SidecarSamples.secret(object -> object.getMetadata()
                .setAnnotations(Map.of(
                        CosiNames.BUCKET_ACCESS_UID, "access-uid",
                        CosiNames.ACCOUNT, SECOND,
                        CosiNames.ACCOUNT_ID, "id-2",
                        CosiNames.PREVIOUS_ACCOUNT_ID, "id-1")));
        assertThat(next(rotated, Set.of())).isEqualTo("revoke " + FIRST + " as id-1");
        assertThat(next(rotated, Set.of(FIRST))).isEqualTo("revoke " + SECOND + " as id-2");
    }

    @Test
    void aFailureIsReportedOnTheBucketAndTheSecretStays() {
        FailedAttempt failure = new FailedAttempt(
                DriverMethod.REVOKE_ACCESS,
                FIRST + " " + SidecarSamples.READY.inputs(SidecarSamples.created()),
                Problem.retryable("InternalError", "No."),
                1,
                Duration.ofSeconds(10));
        assertThat(text(LostAccessDecision.decide(new LostAccessObservation(
                        Optional.of(SidecarSamples.secret(_ -> {})),
                        Optional.of(SidecarSamples.created()),
                        SidecarSamples.READY,
                        LostAccessState.NONE,
                        Optional.of(failure)))))
                .isEqualTo("Report");
    }

    @Test
    void withoutTheBucketTheSecretStaysForARestore() {
        assertThat(LostAccessDecision.decide(observed(SidecarSamples.secret(_ -> {}), Optional.empty(), Set.of())))
                .isEqualTo(Decision.done());
    }

    private static String next(Secret secret, Set<String> revoked) {
        return text(LostAccessDecision.decide(observed(secret, Optional.of(SidecarSamples.created()), revoked)));
    }

    private static String text(Decision<Step> decided) {
        return switch (decided) {
            case Decision.Finish<Step> _ -> "finish";
            case Decision.Act<Step>(LostAccessStep step) ->
                "revoke " + step.account() + " as " + step.order().account().id();
            case Decision.Act<Step>(Step.Write write) ->
                write.change().getClass().getSimpleName();
            case Decision.Act<Step>(Step step) -> step.getClass().getSimpleName();
        };
    }

    private static LostAccessObservation observed(Secret secret, Optional<Bucket> bucket, Set<String> revoked) {
        return new LostAccessObservation(
                Optional.of(secret), bucket, SidecarSamples.READY, new LostAccessState(revoked), Optional.empty());
    }
}
