package io.bucketwright.app.claim;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.bucketwright.api.objectstorage.ReleasedAccessSpec;
import io.bucketwright.api.objectstorage.ReleasedBucketAccess;
import io.bucketwright.app.claim.WaitOptions.Progress;
import io.bucketwright.app.command.CommandException;
import io.fabric8.kubernetes.api.model.Event;
import io.fabric8.kubernetes.api.model.EventBuilder;
import io.fabric8.kubernetes.api.model.ObjectMetaBuilder;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;

class AccessRotationTest {

    private static final String AT = "2026-11-17T11:00:00Z";

    private final AccessRotation rotation = new AccessRotation(access(), AT, Set.of("7"));

    @Test
    void itIsDoneWhenTheSecretHasTheCredentialsOfThisRequest() {
        assertThat(rotation.progress("2026-11-16T11:00:00Z", List.of())).isInstanceOf(Progress.Waiting.class);
        assertThat(rotation.progress(AT, List.of())).isInstanceOf(Progress.Done.class);
    }

    @Test
    void theEventTellsWhoMayNotReadTheSecret() {
        assertThat(rotation.progress("", List.of(event("7", "AccessRotated", "An earlier one."))))
                .isInstanceOf(Progress.Waiting.class);
        assertThat(rotation.progress("", List.of(event("9", "AccessRotated", "New."))))
                .isInstanceOf(Progress.Done.class);
    }

    @Test
    void aFailureIsTheReasonToWaitAndADriverThatCannotRotateEndsIt() {
        Event failed = event("8", "FailedRotateAccess", "The driver is down.");
        assertThat(rotation.progress("", List.of(failed, event("9", "Other", "Else."))))
                .isEqualTo(new Progress.Waiting("Waiting: The driver is down."));
        assertThatThrownBy(
                        () -> rotation.progress("", List.of(failed, event("10", "RotationNotSupported", "It cannot."))))
                .isInstanceOf(CommandException.class)
                .hasMessage("It cannot.");
    }

    @Test
    void anEventOfSomebodyElseNeedsNoReason() {
        Event bare = new EventBuilder()
                .withNewMetadata()
                .withResourceVersion("8")
                .endMetadata()
                .build();
        assertThat(rotation.progress("", List.of(bare))).isInstanceOf(Progress.Waiting.class);
    }

    private static ReleasedBucketAccess access() {
        ReleasedBucketAccess access = new ReleasedBucketAccess();
        access.setMetadata(
                new ObjectMetaBuilder().withNamespace("apps").withName("viewer").build());
        access.setSpec(new ReleasedAccessSpec("photos", "", "readers", "credentials", ""));
        return access;
    }

    private static Event event(String version, String reason, String message) {
        return new EventBuilder()
                .withNewMetadata()
                .withResourceVersion(version)
                .endMetadata()
                .withReason(reason)
                .withMessage(message)
                .build();
    }
}
