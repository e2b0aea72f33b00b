package io.bucketwright.volumes.directories.released;

import io.bucketwright.runtime.ObjectKey;
import io.bucketwright.runtime.TimeSource;
import io.bucketwright.runtime.controller.Controller;
import io.bucketwright.runtime.controller.Decision;
import io.bucketwright.runtime.controller.DecisionLoop;
import io.bucketwright.runtime.controller.LoopReconciler;
import io.bucketwright.runtime.controller.Outcome;
import io.bucketwright.runtime.controller.Reconciler;
import io.bucketwright.runtime.controller.Result;
import io.bucketwright.runtime.engine.ControllerContext;
import io.bucketwright.runtime.queue.WorkQueue;
import io.bucketwright.volumes.directories.claims.ClaimCaches;
import io.bucketwright.volumes.directories.files.AssetName;
import io.bucketwright.volumes.directories.roots.Root;
import io.bucketwright.volumes.directories.roots.RootState;
import io.bucketwright.volumes.directories.roots.Roots;
import io.bucketwright.volumes.directories.setup.DirectoryMetrics;
import io.bucketwright.volumes.directories.setup.Settings;
import io.fabric8.kubernetes.api.model.ObjectReference;
import io.fabric8.kubernetes.api.model.PersistentVolume;
import io.fabric8.kubernetes.api.model.PersistentVolumeClaim;
import java.nio.file.Path;
import java.util.Collection;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** Puts the controller of released volumes together. */
public final class VolumeController implements DecisionLoop<ObjectKey, Observed, Step> {

    private final Settings settings;
    private final ClaimCaches caches;
    private final Roots roots;
    private final VolumeDecision decision;
    private final VolumeActs acts;
    private final TimeSource time;

    private VolumeController(Settings settings, ClaimCaches caches, Roots roots, VolumeActs acts, TimeSource time) {
        this.settings = settings;
        this.caches = caches;
        this.roots = roots;
        this.decision = new VolumeDecision(settings);
        this.acts = acts;
        this.time = time;
    }

    /** The controller, ready to be given to an engine; call it before the caches start. */
    public static Controller<ObjectKey> of(
            ControllerContext parts,
            Settings settings,
            ClaimCaches caches,
            Roots roots,
            DirectoryMetrics metrics,
            WorkQueue<ObjectKey> queue,
            int workers) {
        VolumeActs acts = new VolumeActs(parts, roots, metrics, queue::add);
        VolumeController loop = new VolumeController(settings, caches, roots, acts, parts.time());
        Reconciler<ObjectKey> reconciler = new LoopReconciler<>(loop, parts.leadership());
        return new Controller<>(
                        "directory-volumes",
                        key -> {
                            Result result = reconciler.reconcile(key);
                            if (loop.volume(key).isEmpty()) {
                                acts.forget(key);
                            }
                            return result;
                        },
                        queue,
                        parts.leadership(),
                        workers,
                        parts.meters())
                .watch(caches.volumes, Function.identity())
                .watchRelated(caches.claims, loop::volumesOf);
    }

    @Override
    public Observed observe(ObjectKey key) {
        Optional<PersistentVolume> volume = volume(key);
        Optional<Path> path =
                volume.map(it -> it.getSpec().getStorageClassName()).flatMap(settings::rootOf);
        Optional<Root> root = path.map(roots::at);
        return new Observed(
                key,
                volume,
                volume.map(it -> it.getSpec().getClaimRef())
                        .flatMap(this::claim)
                        .isPresent(),
                path,
                root.map(Root::state).orElseGet(RootState.Unopened::new),
                root.filter(_ -> AssetName.fits(key.name())).flatMap(it -> it.named(new AssetName(key.name()))),
                acts.progress(key),
                time.now());
    }

    @Override
    public Decision<Step> decide(Observed observed) {
        return decision.decide(observed);
    }

    @Override
    public Outcome act(Step step) throws InterruptedException {
        return acts.act(step);
    }

    private Optional<PersistentVolume> volume(ObjectKey key) {
        return caches.volumes.get("", key.name()).filter(key::names);
    }

    private Optional<PersistentVolumeClaim> claim(ObjectReference reference) {
        @Nullable String uid = reference.getUid();
        if (uid == null || reference.getNamespace() == null || reference.getName() == null) {
            return Optional.empty();
        }
        return caches.claims
                .get(reference.getNamespace(), reference.getName())
                .filter(claim -> uid.equals(claim.getMetadata().getUid()));
    }

    private Collection<ObjectKey> volumesOf(PersistentVolumeClaim claim) {
        @Nullable String name = claim.getSpec().getVolumeName();
        return name == null || name.isEmpty()
                ? List.of()
                : caches.volumes.get("", name).map(ObjectKey::of).stream().toList();
    }
}
