package io.bucketwright.cosi.sidecar.accesses;

import static org.assertj.core.api.Assertions.assertThat;

import io.bucketwright.api.cosi.BucketAccess;
import io.bucketwright.api.cosi.CosiNames;
import io.bucketwright.cosi.sidecar.driver.SidecarSamples;
import io.bucketwright.runtime.cache.CacheFreshness;
import io.bucketwright.runtime.controller.Decision;
import io.fabric8.kubernetes.api.model.Secret;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** What a leader does before it knows that its cache shows the Secret as former leaders left it. */
class CurrentSecretDecisionTest {

    enum Effect {
        FIRST_GRANT,
        ROTATION,
        END_OF_OVERLAP,
        NEW_SECRET,
        END_OF_ACCESS
    }

    @ParameterizedTest
    @EnumSource(Effect.class)
    void nothingIsGrantedOrRevokedByASecretThatAFormerLeaderMayHaveChanged(Effect effect) {
        assertThat(decide(effect, CacheFreshness.State.UNKNOWN))
                .isEqualTo(Decision.act(new SidecarAccessStep.ListSecrets()));
        assertThat(decide(effect, CacheFreshness.State.OUTDATED))
                .isEqualTo(Decision.act(new SidecarAccessStep.ReadSecret(access(effect))));
        assertThat(decide(effect, CacheFreshness.State.CURRENT))
                .isInstanceOfSatisfying(
                        Decision.Act.class,
                        act -> assertThat(act.step())
                                .isInstanceOfAny(
                                        SidecarAccessStep.CallDriver.class,
                                        SidecarAccessStep.KeepCredentials.class,
                                        SidecarAccessStep.RemoveFinalizer.class));
    }

    @Test
    void aGrantedAccessCostsNoList() {
        assertThat(SidecarAccessDecision.decide(observed(
                        SidecarSamples.access(_ -> {}),
                        Optional.of(SidecarSamples.secret(_ -> {})),
                        CacheFreshness.State.UNKNOWN,
                        InFlightAccess.none())))
                .isEqualTo(Decision.done());
    }

    private static Decision<SidecarAccessStep> decide(Effect effect, CacheFreshness.State freshness) {
        InFlightAccess inFlight = effect == Effect.END_OF_ACCESS
                ? InFlightAccess.none().withRevoked("ba-access-request-uid")
                : InFlightAccess.none();
        return SidecarAccessDecision.decide(observed(access(effect), secret(effect), freshness, inFlight));
    }

    private static BucketAccess access(Effect effect) {
        return SidecarSamples.access(object -> {
            if (effect == Effect.ROTATION || effect == Effect.END_OF_OVERLAP) {
                object.getMetadata().setAnnotations(Map.of(CosiNames.ROTATE_AT, "2026-11-15T11:00:00Z"));
            }
            if (effect == Effect.END_OF_ACCESS) {
                object.getMetadata().setDeletionTimestamp("2026-11-15T11:00:00Z");
            }
        });
    }

    private static Optional<Secret> secret(Effect effect) {
        if (List.of(Effect.FIRST_GRANT, Effect.END_OF_ACCESS).contains(effect)) {
            return Optional.empty();
        }
        return Optional.of(SidecarSamples.secret(object -> {
            if (effect == Effect.NEW_SECRET) {
                object.getMetadata().setDeletionTimestamp("2026-11-15T11:00:00Z");
            }
            if (effect == Effect.END_OF_OVERLAP) {
                object.getMetadata()
                        .setAnnotations(Map.of(
                                CosiNames.ROTATED_AT,
                                "2026-11-15T11:00:00Z",
                                CosiNames.ACCOUNT,
                                "ba-access-request-uid-2",
                                CosiNames.PREVIOUS_VALID_UNTIL,
                                "2026-11-15T11:59:00Z"));
            }
        }));
    }

    private static ObservedAccess observed(
            BucketAccess access, Optional<Secret> secret, CacheFreshness.State freshness, InFlightAccess inFlight) {
        return new ObservedAccess(
                Optional.of(access),
                Optional.of(SidecarSamples.created()),
                Optional.empty(),
                secret,
                freshness,
                SidecarSamples.READY,
                inFlight,
                Optional.empty(),
                SidecarSamples.NOW);
    }
}
