package io.bucketwright.volumes.releaser;

import io.bucketwright.runtime.ObjectKey;
import io.bucketwright.runtime.TimeSource;
import io.bucketwright.runtime.cache.Index;
import io.bucketwright.runtime.cache.ObjectCache;
import io.bucketwright.runtime.cache.ObjectCaches;
import io.bucketwright.runtime.cache.Scope;
import io.bucketwright.runtime.cache.Source;
import io.bucketwright.runtime.controller.Controller;
import io.bucketwright.runtime.objects.Metadata;
import io.bucketwright.runtime.objects.MetadataTrim;
import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.api.model.Namespace;
import io.fabric8.kubernetes.api.model.ObjectReference;
import io.fabric8.kubernetes.api.model.PersistentVolume;
import io.fabric8.kubernetes.api.model.PersistentVolumeClaim;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.storage.StorageClass;
import java.util.Collection;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** The caches of the releaser: volumes, their classes, claims and namespaces; managed claims and scrub objects if enabled. */
final class ReleaserCaches {

    private final ObjectCache<PersistentVolume> volumes;
    private final ObjectCache<StorageClass> classes;
    private final ObjectCache<PersistentVolumeClaim> claims;
    private final ObjectCache<Namespace> namespaces;
    private final @Nullable ManagedClaims managed;
    private final @Nullable ObjectCache<PersistentVolumeClaim> scrubClaims;
    private final @Nullable ObjectCache<Pod> scrubPods;
    private final Index<PersistentVolume> byClass;
    private final Index<PersistentVolume> byClaimName;
    private final Index<PersistentVolume> byNamespace;
    private final Index<PersistentVolume> byScrubName;
    private final String scrubNamespace;
    private final TimeSource time;

    ReleaserCaches(ObjectCaches caches, ReleaserSettings settings, TimeSource time) {
        this.time = time;
        String id = settings.id().value();
        volumes = caches.unlimited(PersistentVolume.class, Scope.everything());
        classes = caches.unlimited(StorageClass.class, Scope.everything());
        claims = caches.of(PersistentVolumeClaim.class, Scope.everything());
        namespaces = caches.of(Namespace.class, Scope.everything(), MetadataTrim.NAMESPACE);
        managed = settings.automatic() ? new ManagedClaims(claims, settings.id()) : null;
        scrubNamespace = settings.scrubNamespace();
        Scope scrubObjects = Scope.namespace(scrubNamespace).labelled(ReleaserNames.SCRUB_FOR, id);
        boolean scrubs = !scrubNamespace.isEmpty();
        scrubClaims = scrubs ? caches.of(PersistentVolumeClaim.class, scrubObjects) : null;
        scrubPods = scrubs ? caches.of(Pod.class, scrubObjects) : null;
        byClass = volumes.indexBy(volume -> List.of(PersistentVolumes.className(volume)));
        byClaimName = volumes.indexBy(volume -> PersistentVolumes.claim(volume).stream()
                .map(claim -> claim.getNamespace() + "/" + claim.getName())
                .toList());
        byNamespace = volumes.indexBy(volume -> PersistentVolumes.claim(volume).stream()
                .map(ObjectReference::getNamespace)
                .toList());
        byScrubName = volumes.indexBy(volume -> List.of(ScrubObjects.name(volume)));
    }

    ReleaseObservation observe(ObjectKey key) {
        @Nullable
        PersistentVolume volume = volumes.get("", key.name()).filter(key::names).orElse(null);
        String helper = "scrub-" + key.uid();
        Optional<ObjectReference> claim = Optional.ofNullable(volume).flatMap(PersistentVolumes::claim);
        return new ReleaseObservation(
                key,
                volume,
                volume == null ? null : find(classes, "", PersistentVolumes.className(volume)),
                claim.map(reference -> find(claims, reference.getNamespace(), reference.getName()))
                        .orElse(null),
                claim.map(reference -> find(namespaces, "", reference.getNamespace()))
                        .orElse(null),
                volume != null && managed != null && managed.contains(volume),
                find(scrubClaims, scrubNamespace, helper),
                find(scrubPods, scrubNamespace, helper),
                time.now());
    }

    List<PersistentVolume> volumes() {
        return volumes.list();
    }

    private static <T extends HasMetadata> @Nullable T find(
            @Nullable ObjectCache<T> cache, String namespace, String name) {
        return cache == null ? null : cache.get(namespace, name).orElse(null);
    }

    /** Registers what wakes a volume. The caches are filled independently: a volume can be seen Bound before its claim is seen. */
    void watchWith(Controller<ObjectKey> controller) {
        controller
                .tenants(key -> volumes.get("", key.name())
                        .flatMap(PersistentVolumes::claim)
                        .map(ObjectReference::getNamespace))
                .watch(volumes, Function.identity())
                .watchRelated(
                        classes,
                        storageClass ->
                                keys(byClass.get(storageClass.getMetadata().getName())));
        controller
                .watchRelated(
                        claims,
                        claim -> keys(byClaimName.get(claim.getMetadata().getNamespace() + "/"
                                + claim.getMetadata().getName())))
                .watchRelated(
                        namespaces,
                        namespace ->
                                keys(byNamespace.get(namespace.getMetadata().getName())));
        watch(controller, scrubClaims, this::volumesOf);
        watch(controller, scrubPods, this::volumesOf);
    }

    private static <T extends HasMetadata> void watch(
            Controller<ObjectKey> controller, @Nullable Source<T> source, Function<T, Collection<ObjectKey>> keys) {
        if (source != null) {
            controller.watchRelated(source, keys);
        }
    }

    private static Collection<ObjectKey> keys(List<PersistentVolume> found) {
        return found.stream().map(ObjectKey::of).toList();
    }

    /**
     * By the annotations of the scrub object, because its volume may no longer exist, and by its name, because a volume waits
     * until a foreign object of that name is deleted.
     */
    private Collection<ObjectKey> volumesOf(HasMetadata helper) {
        String name = Metadata.annotation(helper, ReleaserNames.SCRUB_VOLUME);
        String uid = Metadata.annotation(helper, ReleaserNames.SCRUB_VOLUME_UID);
        Stream<ObjectKey> annotated =
                name.isEmpty() || uid.isEmpty() ? Stream.empty() : Stream.of(new ObjectKey("", name, uid));
        return Stream.concat(
                        annotated, keys(byScrubName.get(helper.getMetadata().getName())).stream())
                .distinct()
                .toList();
    }
}
