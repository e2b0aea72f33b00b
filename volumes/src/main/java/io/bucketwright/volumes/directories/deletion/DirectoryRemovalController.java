package io.bucketwright.volumes.directories.deletion;

import io.bucketwright.runtime.ObjectKey;
import io.bucketwright.runtime.TimeSource;
import io.bucketwright.runtime.controller.Controller;
import io.bucketwright.runtime.controller.Decision;
import io.bucketwright.runtime.controller.DecisionLoop;
import io.bucketwright.runtime.controller.InFlightState;
import io.bucketwright.runtime.controller.Outcome;
import io.bucketwright.runtime.engine.ControllerContext;
import io.bucketwright.volumes.directories.classes.DirectorySettings;
import io.bucketwright.volumes.directories.files.DirectoryName;
import io.bucketwright.volumes.directories.metrics.DirectoryMetrics;
import io.bucketwright.volumes.directories.objects.DirectoryCaches;
import io.bucketwright.volumes.directories.roots.RequeueTarget;
import io.bucketwright.volumes.directories.roots.Root;
import io.bucketwright.volumes.directories.roots.RootState;
import io.bucketwright.volumes.directories.roots.Roots;
import io.fabric8.kubernetes.api.model.ObjectReference;
import io.fabric8.kubernetes.api.model.PersistentVolume;
import io.fabric8.kubernetes.api.model.PersistentVolumeClaim;
import java.nio.file.Path;
import java.util.Collection;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** The controller of PersistentVolumes. */
public final class DirectoryRemovalController
        implements DecisionLoop<ObjectKey, DirectoryRemovalObservation, DirectoryRemovalStep> {

    private final DirectorySettings settings;
    private final DirectoryCaches caches;
    private final Roots roots;
    private final DirectoryRemovalDecision decision;
    private final DirectoryRemovalActs acts;
    private final InFlightState<ObjectKey, DirectoryRemovalState> states;
    private final TimeSource time;

    private DirectoryRemovalController(
            DirectorySettings settings,
            DirectoryCaches caches,
            Roots roots,
            DirectoryRemovalActs acts,
            InFlightState<ObjectKey, DirectoryRemovalState> states,
            TimeSource time) {
        this.settings = settings;
        this.caches = caches;
        this.roots = roots;
        this.decision = new DirectoryRemovalDecision(settings);
        this.acts = acts;
        this.states = states;
        this.time = time;
    }

    /** Registers the controller; call this before the caches start. */
    public static Controller<ObjectKey> register(
            ControllerContext context,
            DirectorySettings settings,
            DirectoryCaches caches,
            Roots roots,
            DirectoryMetrics metrics) {
        InFlightState<ObjectKey, DirectoryRemovalState> states = context.inFlight(DirectoryRemovalState.INITIAL);
        RequeueTarget<ObjectKey> requeue = new RequeueTarget<>();
        DirectoryRemovalActs acts = new DirectoryRemovalActs(context, roots, metrics, states, requeue);
        DirectoryRemovalController loop =
                new DirectoryRemovalController(settings, caches, roots, acts, states, context.time());
        return requeue.connect(context.controller("directory-volumes", loop))
                .watch(caches.volumes, Function.identity())
                .watchRelated(caches.claims, loop::volumeOf);
    }

    @Override
    public DirectoryRemovalObservation observe(ObjectKey key) {
        Optional<PersistentVolume> volume = volume(key);
        Optional<Path> path =
                volume.map(found -> found.getSpec().getStorageClassName()).flatMap(settings::rootOf);
        Optional<Root> root = path.map(roots::at);
        return new DirectoryRemovalObservation(
                key,
                volume,
                volume.map(found -> found.getSpec().getClaimRef())
                        .flatMap(this::claim)
                        .isPresent(),
                caches.clusterId(),
                path,
                root.map(Root::state).orElseGet(RootState.NotOpened::new),
                root.filter(_ -> DirectoryName.isValid(key.name()))
                        .flatMap(found -> found.marker(new DirectoryName(key.name()))),
                states.get(key),
                time.now());
    }

    /** The result {@code Done} of a step only means to wait for the disk; only this decision ends the work on a key. */
    @Override
    public Decision<DirectoryRemovalStep> decide(DirectoryRemovalObservation observed) {
        Decision<DirectoryRemovalStep> next = decision.decide(observed);
        if (next.equals(Decision.done())) {
            states.forget(observed.key());
        }
        return next;
    }

    @Override
    public Outcome act(DirectoryRemovalStep step) throws InterruptedException {
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

    private Collection<ObjectKey> volumeOf(PersistentVolumeClaim claim) {
        @Nullable String name = claim.getSpec().getVolumeName();
        return name == null || name.isEmpty()
                ? List.of()
                : caches.volumes.get("", name).map(ObjectKey::of).stream().toList();
    }
}
