package io.bucketwright.volumes.directories.claims;

import io.bucketwright.runtime.ObjectKey;
import io.bucketwright.runtime.TimeSource;
import io.bucketwright.volumes.directories.classes.DirectoryClass;
import io.bucketwright.volumes.directories.files.AssetName;
import io.bucketwright.volumes.directories.roots.Root;
import io.bucketwright.volumes.directories.roots.RootState;
import io.bucketwright.volumes.directories.roots.Roots;
import io.bucketwright.volumes.directories.setup.ClassLookup;
import io.bucketwright.volumes.directories.setup.ClassView;
import io.bucketwright.volumes.directories.setup.VolumeName;
import io.fabric8.kubernetes.api.model.PersistentVolumeClaim;
import java.util.Optional;

/** Looks at caches and ledgers. */
record ClaimObserver(ClaimCaches caches, ClassLookup classes, Roots roots, Memory memory, TimeSource time) {

    Observed observe(ObjectKey key) {
        Optional<PersistentVolumeClaim> claim =
                caches.claims.get(key.namespace(), key.name()).filter(key::names);
        ClassView storageClass = claim.map(it -> it.getSpec().getStorageClassName())
                .filter(name -> !name.isEmpty())
                .map(classes::of)
                .orElseGet(ClassView.NotOurs::new);
        Optional<DirectoryClass> ours =
                storageClass instanceof ClassView.Ours(DirectoryClass known) ? Optional.of(known) : Optional.empty();
        Optional<Root> root = ours.map(it -> roots.at(it.root()));
        Optional<AssetName> name =
                ours.map(it -> VolumeName.of(key.namespace(), key.name(), key.uid(), it.namedByUid()));
        return new Observed(
                key,
                claim,
                storageClass,
                caches.namespaces
                        .get("", key.namespace())
                        .map(namespace -> namespace.getMetadata().getUid())
                        .orElse(""),
                caches.volumesByClaim.get(key.uid()),
                name.flatMap(it -> caches.volumes.get("", it.text())),
                root.map(Root::state).orElseGet(RootState.Unopened::new),
                name.flatMap(it -> root.flatMap(place -> place.named(it))),
                roots.ofClaim(key.uid()),
                root.map(it -> it.promisedToOthers(key.uid())).orElse(0L),
                memory.of(key, time.nanos()));
    }
}
