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
import io.bucketwright.runtime.engine.ControllerContext;
import io.bucketwright.runtime.events.EventRecorder;
import io.fabric8.kubernetes.api.model.PersistentVolume;
import java.util.Optional;

/**
 * Observes, decides and acts on volumes.
 *
 * @param reported the last problem that was reported on each volume. Not persistent: a restart may repeat an event
 */
record ReleaseController(
        ReleaserSettings settings,
        ReleaserCaches caches,
        ApiWriter writer,
        EventRecorder events,
        InFlightState<ObjectKey, Optional<Problem>> reported) {

    static void register(ControllerContext context, ReleaserSettings settings, int workers) {
        ReleaserCaches caches = new ReleaserCaches(context.caches(), settings);
        InFlightState<ObjectKey, Optional<Problem>> reported = context.inFlight(Optional.empty());
        ReleaseController loop = new ReleaseController(settings, caches, context.writer(), context.events(), reported);
        caches.watchWith(context.controller(
                        "releaser", loop::observe, observed -> ReleaseDecision.decide(settings, observed), loop::act)
                .workers(workers)
                .inFlight(reported));
    }

    ReleaseObservation observe(ObjectKey key) {
        return caches.observe(key, reported.get(key).orElse(null));
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
            case ReleaseStep.Create create -> {
                writer.create(create.helper());
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
                    ReleaseReason.ASSOCIATED,
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
            events.normal(volume, ReleaseReason.RELEASED, "Release", note(volume, mode));
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

    private Outcome patch(PersistentVolume volume, JsonPatch patch, String failure) {
        try {
            writer.patch(volume, patch);
            return Outcome.progress();
        } catch (ApiException e) {
            // Other errors are transient, or caused by a change that triggers another reconciliation.
            boolean requiresChange = e.error() instanceof ApiError.Forbidden || e.error() instanceof ApiError.Invalid;
            if (!requiresChange) {
                throw e;
            }
            Problem problem = Problem.of(e.error(), failure);
            if (!reported.get(ObjectKey.of(volume)).equals(Optional.of(problem))) {
                report(volume, problem);
            }
            return Outcome.finish(Result.of(e.error()));
        }
    }

    private void report(PersistentVolume volume, Problem problem) {
        String action = problem.reason().equals(ReleaseReason.ASSOCIATION_FAILED) ? "Associate" : "Release";
        events.warning(volume, problem.reason(), action, problem.message());
        reported.update(ObjectKey.of(volume), _ -> Optional.of(problem));
    }

    private static String claimOf(PersistentVolume volume) {
        return PersistentVolumes.claim(volume)
                .map(claim -> claim.getNamespace() + "/" + claim.getName())
                .orElse("(none)");
    }
}
