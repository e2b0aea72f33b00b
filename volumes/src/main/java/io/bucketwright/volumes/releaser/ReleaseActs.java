package io.bucketwright.volumes.releaser;

import io.bucketwright.runtime.ObjectKey;
import io.bucketwright.runtime.client.ApiError;
import io.bucketwright.runtime.client.ApiException;
import io.bucketwright.runtime.client.ApiWriter;
import io.bucketwright.runtime.client.JsonPatch;
import io.bucketwright.runtime.controller.Outcome;
import io.bucketwright.runtime.controller.Result;
import io.bucketwright.runtime.events.EventRecorder;
import io.bucketwright.volumes.podclaims.Printable;
import io.fabric8.kubernetes.api.model.ObjectReference;
import io.fabric8.kubernetes.api.model.PersistentVolume;
import java.util.Map;

/** Carries the steps out. */
final class ReleaseActs {

    private final Settings settings;
    private final ApiWriter writer;
    private final EventRecorder events;
    private final Map<ObjectKey, Trouble> told;

    ReleaseActs(Settings settings, ApiWriter writer, EventRecorder events, Map<ObjectKey, Trouble> told) {
        this.settings = settings;
        this.writer = writer;
        this.events = events;
        this.told = told;
    }

    Outcome act(Step step) {
        return switch (step) {
            case Step.Tell(PersistentVolume volume, Trouble trouble) -> {
                tell(volume, trouble);
                yield Outcome.progress();
            }
            case Step.Associate(PersistentVolume volume) -> associate(volume);
            case Step.Disassociate(PersistentVolume volume) ->
                patch(volume, Patches.disassociate(volume), Reason.ASSOCIATION_FAILED);
            case Step.Release(PersistentVolume volume, Mode mode) -> release(volume, mode);
            case Step.Reserve(PersistentVolume volume) ->
                patch(volume, Patches.reserve(volume, settings), Reason.RELEASE_FAILED);
            case Step.CreateClaim create -> {
                writer.create(create.claim());
                yield Outcome.progress();
            }
            case Step.CreatePod create -> {
                writer.create(create.pod());
                yield Outcome.progress();
            }
            case Step.MarkScrubbed(PersistentVolume volume) ->
                patch(volume, Patches.markScrubbed(volume), Reason.RELEASE_FAILED);
            case Step.Delete delete -> {
                writer.deleteAnyVersion(delete.helper());
                yield Outcome.progress();
            }
            case Step.Replace replace -> {
                writer.deleteAnyVersion(replace.pod());
                yield Outcome.finish(Result.retry(replace.why()));
            }
        };
    }

    private Outcome associate(PersistentVolume volume) {
        Outcome outcome = patch(volume, Patches.associate(volume, settings), Reason.ASSOCIATION_FAILED);
        if (outcome instanceof Outcome.Progress) {
            events.normal(
                    volume,
                    Reason.ASSOCIATED.word(),
                    "Associate",
                    "Associated with " + settings.id() + " for claim " + claimOf(volume)
                            + "; it will be released when the claim is gone");
        }
        return outcome;
    }

    private Outcome release(PersistentVolume volume, Mode mode) {
        JsonPatch patch = mode == Mode.SOFT ? Patches.releaseSoftly(volume) : Patches.release(volume);
        Outcome outcome = patch(volume, patch, Reason.RELEASE_FAILED);
        if (outcome instanceof Outcome.Progress) {
            events.normal(volume, Reason.RELEASED.word(), "Release", note(volume, mode));
        }
        return outcome;
    }

    private static String note(PersistentVolume volume, Mode mode) {
        return switch (mode) {
            case SOFT -> "Released; only a new claim " + claimOf(volume) + " can have it";
            case SCRUB -> "Emptied and released; any claim can have it";
            case FULL, NONE -> "Released by claim " + claimOf(volume) + "; any claim can have it, and what is on it";
        };
    }

    private Outcome patch(PersistentVolume volume, JsonPatch patch, Reason ifItFails) {
        try {
            writer.patch(volume, patch);
            return Outcome.progress();
        } catch (ApiException e) {
            // What passes by itself, or is another's change that brings the volume back, is nobody's trouble.
            boolean lasting = e.error() instanceof ApiError.Forbidden || e.error() instanceof ApiError.Invalid;
            if (!lasting) {
                throw e;
            }
            Trouble trouble = new Trouble(ifItFails, Printable.of(e.error().message()));
            if (!trouble.equals(told.get(ObjectKey.of(volume)))) {
                tell(volume, trouble);
            }
            return Outcome.finish(Result.of(e.error()));
        }
    }

    private void tell(PersistentVolume volume, Trouble trouble) {
        String action = trouble.reason() == Reason.ASSOCIATION_FAILED ? "Associate" : "Release";
        events.warning(volume, trouble.reason().word(), action, trouble.note());
        told.put(ObjectKey.of(volume), trouble);
    }

    private static String claimOf(PersistentVolume volume) {
        return Volumes.claim(volume).map(ReleaseActs::text).orElse("(none)");
    }

    private static String text(ObjectReference claim) {
        return claim.getNamespace() + "/" + claim.getName();
    }
}
