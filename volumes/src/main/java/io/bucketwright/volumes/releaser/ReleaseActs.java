package io.bucketwright.volumes.releaser;

import io.bucketwright.runtime.ObjectKey;
import io.bucketwright.runtime.client.ApiError;
import io.bucketwright.runtime.client.ApiException;
import io.bucketwright.runtime.client.ApiWriter;
import io.bucketwright.runtime.client.JsonPatch;
import io.bucketwright.runtime.controller.InFlightState;
import io.bucketwright.runtime.controller.Outcome;
import io.bucketwright.runtime.controller.Problem;
import io.bucketwright.runtime.controller.Result;
import io.bucketwright.runtime.events.EventRecorder;
import io.fabric8.kubernetes.api.model.ObjectReference;
import io.fabric8.kubernetes.api.model.PersistentVolume;

/** Executes the steps. */
final class ReleaseActs {

    private final ReleaserSettings settings;
    private final ApiWriter writer;
    private final EventRecorder events;
    private final InFlightState<ObjectKey, ReleaseState> state;

    ReleaseActs(
            ReleaserSettings settings,
            ApiWriter writer,
            EventRecorder events,
            InFlightState<ObjectKey, ReleaseState> state) {
        this.settings = settings;
        this.writer = writer;
        this.events = events;
        this.state = state;
    }

    Outcome act(ReleaseStep step) {
        return switch (step) {
            case ReleaseStep.Report(PersistentVolume volume, Problem problem) -> {
                report(volume, problem);
                yield Outcome.progress();
            }
            case ReleaseStep.Associate(PersistentVolume volume) -> associate(volume);
            case ReleaseStep.Disassociate(PersistentVolume volume) ->
                patch(volume, ReleasePatches.disassociate(volume), ReleaseReason.ASSOCIATION_FAILED);
            case ReleaseStep.Release(PersistentVolume volume, ReleaseMode mode) -> release(volume, mode);
            case ReleaseStep.Reserve(PersistentVolume volume) ->
                patch(volume, ReleasePatches.reserve(volume, settings), ReleaseReason.RELEASE_FAILED);
            case ReleaseStep.CreateClaim create -> {
                writer.create(create.claim());
                yield Outcome.progress();
            }
            case ReleaseStep.CreatePod create -> {
                writer.create(create.pod());
                yield Outcome.progress();
            }
            case ReleaseStep.MarkScrubbed(PersistentVolume volume) ->
                patch(volume, ReleasePatches.markScrubbed(volume), ReleaseReason.RELEASE_FAILED);
            case ReleaseStep.Delete delete -> {
                writer.deleteAnyVersion(delete.helper());
                yield Outcome.progress();
            }
            case ReleaseStep.Replace replace -> {
                writer.deleteAnyVersion(replace.pod());
                yield Outcome.finish(replace.problem().result());
            }
        };
    }

    private Outcome associate(PersistentVolume volume) {
        Outcome outcome = patch(volume, ReleasePatches.associate(volume, settings), ReleaseReason.ASSOCIATION_FAILED);
        if (outcome instanceof Outcome.Progress) {
            events.normal(
                    volume,
                    ReleaseReason.ASSOCIATED.text(),
                    "Associate",
                    "Associated with " + settings.id() + " for claim " + claimOf(volume)
                            + "; it will be released when the claim is deleted");
        }
        return outcome;
    }

    private Outcome release(PersistentVolume volume, ReleaseMode mode) {
        JsonPatch patch =
                mode == ReleaseMode.SOFT ? ReleasePatches.releaseSoftly(volume) : ReleasePatches.release(volume);
        Outcome outcome = patch(volume, patch, ReleaseReason.RELEASE_FAILED);
        if (outcome instanceof Outcome.Progress) {
            events.normal(volume, ReleaseReason.RELEASED.text(), "Release", note(volume, mode));
        }
        return outcome;
    }

    private static String note(PersistentVolume volume, ReleaseMode mode) {
        return switch (mode) {
            case SOFT -> "Released; only a new claim " + claimOf(volume) + " can bind it";
            case SCRUB -> "Scrubbed and released; any claim can bind it";
            case FULL, NONE -> "Released by claim " + claimOf(volume) + "; any claim can bind it with its data";
        };
    }

    private Outcome patch(PersistentVolume volume, JsonPatch patch, ReleaseReason failure) {
        try {
            writer.patch(volume, patch);
            return Outcome.progress();
        } catch (ApiException e) {
            // Other errors are transient, or caused by a change that triggers another reconciliation.
            boolean requiresChange = e.error() instanceof ApiError.Forbidden || e.error() instanceof ApiError.Invalid;
            if (!requiresChange) {
                throw e;
            }
            Problem problem = Problem.of(e.error(), failure.text());
            if (!problem.equals(state.get(ObjectKey.of(volume)).reported())) {
                report(volume, problem);
            }
            return Outcome.finish(Result.of(e.error()));
        }
    }

    private void report(PersistentVolume volume, Problem problem) {
        String action = problem.reason().equals(ReleaseReason.ASSOCIATION_FAILED.text()) ? "Associate" : "Release";
        events.warning(volume, problem.reason(), action, problem.message());
        state.update(ObjectKey.of(volume), _ -> new ReleaseState(problem));
    }

    private static String claimOf(PersistentVolume volume) {
        return PersistentVolumes.claim(volume).map(ReleaseActs::text).orElse("(none)");
    }

    private static String text(ObjectReference claim) {
        return claim.getNamespace() + "/" + claim.getName();
    }
}
