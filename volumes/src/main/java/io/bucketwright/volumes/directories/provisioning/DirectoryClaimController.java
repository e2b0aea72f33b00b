package io.bucketwright.volumes.directories.provisioning;

import io.bucketwright.runtime.ObjectKey;
import io.bucketwright.runtime.controller.Controller;
import io.bucketwright.runtime.controller.Decision;
import io.bucketwright.runtime.controller.DecisionLoop;
import io.bucketwright.runtime.controller.InFlightState;
import io.bucketwright.runtime.controller.Outcome;
import io.bucketwright.runtime.engine.ControllerContext;
import io.bucketwright.runtime.objects.Metadata;
import io.bucketwright.volumes.directories.classes.DirectoryClass;
import io.bucketwright.volumes.directories.classes.DirectoryClasses;
import io.bucketwright.volumes.directories.classes.DirectorySettings;
import io.bucketwright.volumes.directories.classes.ResolvedClass;
import io.bucketwright.volumes.directories.files.DirectoryName;
import io.bucketwright.volumes.directories.metrics.DirectoryMetrics;
import io.bucketwright.volumes.directories.objects.DirectoryAnnotations;
import io.bucketwright.volumes.directories.objects.DirectoryCaches;
import io.bucketwright.volumes.directories.objects.VolumeNaming;
import io.bucketwright.volumes.directories.roots.RequeueTarget;
import io.bucketwright.volumes.directories.roots.Root;
import io.bucketwright.volumes.directories.roots.RootState;
import io.bucketwright.volumes.directories.roots.Roots;
import io.fabric8.kubernetes.api.model.PersistentVolume;
import io.fabric8.kubernetes.api.model.PersistentVolumeClaim;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;
import java.util.function.Supplier;

/** The controller of PersistentVolumeClaims. */
public final class DirectoryClaimController
        implements DecisionLoop<ObjectKey, DirectoryClaimObservation, DirectoryClaimStep> {

    private final DirectoryCaches caches;
    private final DirectoryClasses classes;
    private final Roots roots;
    private final DirectoryClaimDecision decision;
    private final DirectoryClaimActs acts;
    private final InFlightState<ObjectKey, DirectoryClaimState> states;

    private DirectoryClaimController(
            DirectorySettings settings,
            DirectoryCaches caches,
            Roots roots,
            DirectoryClaimActs acts,
            InFlightState<ObjectKey, DirectoryClaimState> states) {
        this.caches = caches;
        this.classes = new DirectoryClasses(caches.classes, settings);
        this.roots = roots;
        this.decision = new DirectoryClaimDecision(settings);
        this.acts = acts;
        this.states = states;
    }

    /**
     * Registers the controller; call this before the caches start.
     *
     * @param hostname the node's label {@code kubernetes.io/hostname}, for local volumes
     */
    public static Controller<ObjectKey> register(
            ControllerContext context,
            DirectorySettings settings,
            DirectoryCaches caches,
            Roots roots,
            DirectoryMetrics metrics,
            Supplier<String> hostname) {
        InFlightState<ObjectKey, DirectoryClaimState> states = context.inFlight(DirectoryClaimState.INITIAL);
        RequeueTarget<ObjectKey> requeue = new RequeueTarget<>();
        DirectoryClaimActs acts = new DirectoryClaimActs(context, roots, metrics, hostname, states, requeue);
        DirectoryClaimController loop = new DirectoryClaimController(settings, caches, roots, acts, states);
        return requeue.connect(context.controller("directory-claims", loop))
                .watch(caches.claims, Function.identity())
                .watchRelated(caches.volumes, loop::claimsOf)
                .watchRelated(caches.classes, caches::claimsOf);
    }

    @Override
    public DirectoryClaimObservation observe(ObjectKey key) {
        Optional<PersistentVolumeClaim> claim =
                caches.claims.get(key.namespace(), key.name()).filter(key::names);
        ResolvedClass storageClass = claim.map(found -> found.getSpec().getStorageClassName())
                .filter(name -> !name.isEmpty())
                .map(classes::resolve)
                .orElseGet(ResolvedClass.NotServed::new);
        Optional<DirectoryClass> served = storageClass instanceof ResolvedClass.Served(DirectoryClass directoryClass)
                ? Optional.of(directoryClass)
                : Optional.empty();
        Optional<Root> root = served.map(directoryClass -> roots.at(directoryClass.root()));
        Optional<DirectoryName> name = served.map(
                directoryClass -> VolumeNaming.of(key.namespace(), key.name(), key.uid(), directoryClass.namedByUid()));
        return new DirectoryClaimObservation(
                key,
                claim,
                storageClass,
                caches.clusterId(),
                caches.namespaceUid(key.namespace()).orElse(""),
                caches.volumesOf(key.uid()),
                name.flatMap(wanted -> caches.volumes.get("", wanted.text())),
                root.map(Root::state).orElseGet(RootState.NotOpened::new),
                name.flatMap(wanted -> root.flatMap(opened -> opened.marker(wanted))),
                roots.markerOfClaim(key.uid()),
                root.map(opened -> opened.requestedByOthers(key.uid())).orElse(0L),
                states.get(key));
    }

    /** The result {@code Done} of a step only means to wait for the disk; only this decision ends the work on a key. */
    @Override
    public Decision<DirectoryClaimStep> decide(DirectoryClaimObservation observed) {
        Decision<DirectoryClaimStep> next = decision.decide(observed);
        if (next.equals(Decision.done())) {
            states.forget(observed.key());
        }
        return next;
    }

    /** Includes the claim of the volume's marker: a volume that was released and bound again refers to another claim. */
    private Collection<ObjectKey> claimsOf(PersistentVolume volume) {
        String claimUid = Metadata.annotation(volume, DirectoryAnnotations.CLAIM_UID);
        List<ObjectKey> keys = new ArrayList<>(caches.claimsOf(volume));
        roots.markerOfClaim(claimUid)
                .map(location -> DirectoryCaches.key(location.marker().claim()))
                .ifPresent(keys::add);
        return keys;
    }

    @Override
    public Outcome act(DirectoryClaimStep step) throws InterruptedException {
        return acts.act(step);
    }
}
