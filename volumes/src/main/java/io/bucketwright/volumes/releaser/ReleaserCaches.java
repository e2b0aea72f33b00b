package io.bucketwright.volumes.releaser;

import io.bucketwright.runtime.ObjectKey;
import io.bucketwright.runtime.cache.ObjectCache;
import io.bucketwright.runtime.cache.ObjectCaches;
import io.bucketwright.runtime.cache.Index;
import io.bucketwright.runtime.cache.Scope;
import io.bucketwright.runtime.cache.Source;
import io.bucketwright.runtime.controller.Controller;
import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.api.model.PersistentVolume;
import io.fabric8.kubernetes.api.model.PersistentVolumeClaim;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.storage.StorageClass;
import java.util.Collection;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** Volumes and classes; the claims of our provisioner if they count; the helpers of scrubs if there are any. */
final class ReleaserCaches {

    private final ObjectCache<PersistentVolume> volumes;
    private final ObjectCache<StorageClass> classes;
    private final @Nullable ObjectCache<PersistentVolumeClaim> claims;
    private final @Nullable OurClaims ours;
    private final @Nullable ObjectCache<PersistentVolumeClaim> scrubClaims;
    private final @Nullable ObjectCache<Pod> scrubPods;
    private final Index<PersistentVolume> byClass;
    private final Index<PersistentVolume> byClaim;
    private final String scrubNamespace;

    ReleaserCaches(ObjectCaches caches, Settings settings) {
        String id = settings.id().value();
        volumes = caches.of(PersistentVolume.class, Scope.everything());
        classes = caches.of(StorageClass.class, Scope.everything());
        claims = settings.automatic()
                ? caches.of(
                        PersistentVolumeClaim.class,
                        Scope.everything().labelled(io.bucketwright.volumes.podclaims.Marks.MANAGED_BY, id))
                : null;
        ours = claims == null ? null : new OurClaims(claims);
        scrubNamespace = settings.scrubNamespace();
        Scope helpers = Scope.namespace(scrubNamespace).labelled(Marks.SCRUB_FOR, id);
        boolean scrubs = !scrubNamespace.isEmpty();
        scrubClaims = scrubs ? caches.of(PersistentVolumeClaim.class, helpers) : null;
        scrubPods = scrubs ? caches.of(Pod.class, helpers) : null;
        byClass = volumes.indexBy(volume -> List.of(Volumes.className(volume)));
        byClaim = volumes.indexBy(volume -> List.of(Volumes.claimUid(volume)));
    }

    Observed observe(ObjectKey key, @Nullable Trouble told) {
        @Nullable
        PersistentVolume volume = volumes.get("", key.name()).filter(key::names).orElse(null);
        String helper = "scrub-" + key.uid();
        return new Observed(
                key,
                volume,
                volume == null
                        ? null
                        : classes.get("", Volumes.className(volume)).orElse(null),
                volume != null && ours != null && ours.had(volume),
                scrubClaims == null
                        ? null
                        : scrubClaims.get(scrubNamespace, helper).orElse(null),
                scrubPods == null ? null : scrubPods.get(scrubNamespace, helper).orElse(null),
                told);
    }

    Controller<ObjectKey> feed(Controller<ObjectKey> controller) {
        controller
                .watch(volumes, Function.identity())
                .watchRelated(
                        classes,
                        storageClass ->
                                keys(byClass.get(storageClass.getMetadata().getName())));
        watch(controller, claims, claim -> keys(byClaim.get(claim.getMetadata().getUid())));
        watch(controller, scrubClaims, ReleaserCaches::volumeOf);
        watch(controller, scrubPods, ReleaserCaches::volumeOf);
        return controller;
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

    /** From what the helper says, because its volume may be gone. */
    private static Collection<ObjectKey> volumeOf(HasMetadata helper) {
        return Optional.of(Marks.annotation(helper, Marks.SCRUB_VOLUME))
                .filter(name -> !name.isEmpty()
                        && !Marks.annotation(helper, Marks.SCRUB_VOLUME_UID).isEmpty())
                .map(name -> new ObjectKey("", name, Marks.annotation(helper, Marks.SCRUB_VOLUME_UID)))
                .stream()
                .toList();
    }
}
