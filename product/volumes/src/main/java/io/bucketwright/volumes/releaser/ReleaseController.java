package io.bucketwright.volumes.releaser;

import io.bucketwright.runtime.ObjectKey;
import io.bucketwright.runtime.client.ApiError;
import io.bucketwright.runtime.client.ApiException;
import io.bucketwright.runtime.client.ApiWriter;
import io.bucketwright.runtime.client.JsonPatch;
import io.bucketwright.runtime.client.ObjectReader;
import io.bucketwright.runtime.controller.InFlightState;
import io.bucketwright.runtime.controller.Outcome;
import io.bucketwright.runtime.controller.Problem;
import io.bucketwright.runtime.controller.Result;
import io.bucketwright.runtime.engine.ControllerContext;
import io.bucketwright.runtime.events.EventRecorder;
import io.bucketwright.runtime.metrics.StatusLabels;
import io.bucketwright.runtime.objects.Metadata;
import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.api.model.Namespace;
import io.fabric8.kubernetes.api.model.PersistentVolume;
import java.util.Optional;
import java.util.stream.Stream;

/**
 * Observes, decides and acts on volumes.
 *
 * @param reported the last problem that was reported on each volume. Not persistent: a restart may repeat an event
 */
record ReleaseController(
        ReleaserSettings settings,
        ReleaserCaches caches,
        ApiWriter writer,
        ObjectReader reader,
        EventRecorder events,
        InFlightState<ObjectKey, Optional<Problem>> reported) {

    static void register(ControllerContext context, ReleaserSettings settings, int workers) {
        ReleaserCaches caches = new ReleaserCaches(context.caches(), settings, context.time());
        InFlightState<ObjectKey, Optional<Problem>> reported = context.inFlight(Optional.empty());
        ReleaseController loop =
                new ReleaseController(settings, caches, context.writer(), context.reader(), context.events(), reported);
        context.metrics().claims("PersistentVolume", loop::managed);
        caches.watchWith(context.controller(
                        "releaser", loop::observe, observed -> ReleaseDecision.decide(settings, observed), loop::act)
                .workers(workers)
                .inFlight(reported));
    }

    /** The volumes that this releaser may release. */
    private Stream<StatusLabels> managed() {
        String id = settings.id().value();
        return caches.volumes().stream()
                .filter(volume -> id.equals(Metadata.label(volume, ReleaserNames.MANAGED_BY))
                        || id.equals(Metadata.label(volume, ReleaserNames.LEGACY_MANAGED_BY)))
                .map(volume -> StatusLabels.of(
                        volume,
                        reported.find(ObjectKey.of(volume))
                                .flatMap(problem -> problem)
                                .map(Problem::reason)
                                .orElse(StatusLabels.NO_REASON)));
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
            case ReleaseStep.RecordNamespace(PersistentVolume volume, Namespace namespace) ->
                patch(
                        volume,
                        ReleasePatches.recordNamespace(
                                volume, namespace.getMetadata().getUid()),
                        ReleaseReason.ASSOCIATION_FAILED);
            case ReleaseStep.Rebind rebind -> rebind(rebind);
            case ReleaseStep.RestoreFormerClaim(PersistentVolume volume, FormerClaim former) -> restore(volume, former);
            case ReleaseStep.ForgetFormerClaim(PersistentVolume volume) ->
                patch(volume, ReleasePatches.forgetFormerClaim(volume), ReleaseReason.RELEASE_FAILED);
            case ReleaseStep.Release(PersistentVolume volume, ReleaseMode mode) -> release(volume, mode);
            case ReleaseStep.Reserve(PersistentVolume volume) ->
                patch(volume, ReleasePatches.reserve(volume, settings), ReleaseReason.RELEASE_FAILED);
            case ReleaseStep.Create(PersistentVolume volume, HasMetadata helper) -> createHelper(volume, helper);
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
        Outcome outcome = patch(volume, ReleasePatches.release(volume, settings), ReleaseReason.RELEASE_FAILED);
        if (outcome instanceof Outcome.Progress) {
            String note = mode == ReleaseMode.SCRUB
                    ? "Scrubbed and released; any claim can bind it"
                    : "Released by claim " + claimOf(volume) + "; any claim can bind it with its data";
            events.normal(volume, ReleaseReason.RELEASED, "Release", note);
        }
        return outcome;
    }

    /**
     * The cache may show a namespace that was deleted since, and the claim may be in its successor. If the API server still has
     * that namespace now, the claim, which was observed before, is not in a later one.
     */
    private Outcome rebind(ReleaseStep.Rebind step) {
        PersistentVolume volume = step.volume();
        String namespaceUid = step.namespace().getMetadata().getUid();
        boolean exists = reader.read(
                        Namespace.class, "", step.namespace().getMetadata().getName())
                .filter(current -> namespaceUid.equals(current.getMetadata().getUid()))
                .isPresent();
        if (!exists) {
            return Outcome.finish(
                    Result.retry("Namespace " + step.namespace().getMetadata().getName()
                            + " was deleted or created again; the caches do not show it yet"));
        }
        Outcome outcome = patch(
                volume,
                ReleasePatches.rebind(volume, step.claim().getMetadata().getUid(), namespaceUid, settings),
                ReleaseReason.RELEASE_FAILED);
        if (outcome instanceof Outcome.Progress) {
            events.normal(volume, ReleaseReason.RELEASED, "Release", "Released for the new claim " + claimOf(volume));
        }
        return outcome;
    }

    private Outcome restore(PersistentVolume volume, FormerClaim former) {
        Outcome outcome =
                patch(volume, ReleasePatches.restoreFormerClaim(volume, former), ReleaseReason.RELEASE_FAILED);
        if (outcome instanceof Outcome.Progress) {
            events.warning(
                    volume,
                    ReleaseReason.RELEASE_FAILED,
                    "Release",
                    "The new claim " + claimOf(volume) + " was not bound to this volume, which stays Released. To give"
                            + " it to any claim of that name, remove the annotation " + ReleaserNames.FORMER_CLAIM
                            + " and spec.claimRef.uid of the volume");
        }
        return outcome;
    }

    /** A quota, an admission policy or an object of that name can keep the releaser from creating it; people must act then. */
    private Outcome createHelper(PersistentVolume volume, HasMetadata helper) {
        try {
            writer.create(helper);
            return Outcome.progress();
        } catch (ApiException e) {
            return switch (e.error()) {
                case ApiError.Forbidden _, ApiError.Invalid _, ApiError.AlreadyExists _ ->
                    reportOnce(
                            volume,
                            e,
                            helper.getKind() + " " + helper.getMetadata().getNamespace() + "/"
                                    + helper.getMetadata().getName()
                                    + ", which scrubs the volume, cannot be created. ");
                default -> throw e;
            };
        }
    }

    private Outcome reportOnce(PersistentVolume volume, ApiException e, String context) {
        Problem cause = Problem.of(e.error(), ReleaseReason.RELEASE_FAILED);
        Problem problem = new Problem(cause.reason(), context + cause.message(), cause.recovery());
        if (!reported.get(ObjectKey.of(volume)).equals(Optional.of(problem))) {
            report(volume, problem);
        }
        return Outcome.finish(Result.of(e.error()));
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
