package io.bucketwright.volumes.directories.provisioning;

import io.bucketwright.runtime.ObjectKey;
import io.bucketwright.volumes.directories.classes.DirectoryClass;
import io.bucketwright.volumes.directories.classes.DirectoryClasses;
import io.bucketwright.volumes.directories.classes.ResolvedClass;
import io.bucketwright.volumes.directories.files.DirectoryName;
import io.bucketwright.volumes.directories.objects.DirectoryCaches;
import io.bucketwright.volumes.directories.objects.VolumeNaming;
import io.bucketwright.volumes.directories.roots.Root;
import io.bucketwright.volumes.directories.roots.RootState;
import io.bucketwright.volumes.directories.roots.Roots;
import io.fabric8.kubernetes.api.model.PersistentVolumeClaim;
import java.util.Optional;
import java.util.function.Function;

/** Reads the caches and the marker indexes. */
record DirectoryClaimObserver(
        DirectoryCaches caches,
        DirectoryClasses classes,
        Roots roots,
        Function<ObjectKey, DirectoryClaimState> states) {

    DirectoryClaimObservation observe(ObjectKey key) {
        Optional<PersistentVolumeClaim> claim = claim(key);
        ResolvedClass storageClass = claim.map(found -> found.getSpec().getStorageClassName())
                .filter(name -> !name.isEmpty())
                .map(classes::resolve)
                .orElseGet(ResolvedClass.NotServed::new);
        Optional<DirectoryClass> served = storageClass instanceof ResolvedClass.Served(DirectoryClass directoryClass)
                ? Optional.of(directoryClass)
                : Optional.empty();
        Optional<Root> root = served.map(directoryClass -> roots.at(directoryClass.root()));
        Optional<DirectoryName> name = served.map(directoryClass ->
                VolumeNaming.of(key.namespace(), key.name(), key.uid(), directoryClass.namedByUid()));
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
                states.apply(key));
    }

    Optional<PersistentVolumeClaim> claim(ObjectKey key) {
        return caches.claims.get(key.namespace(), key.name()).filter(key::names);
    }
}
