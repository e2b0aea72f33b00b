package io.bucketwright.volumes.directories.provisioning;

import io.bucketwright.runtime.ObjectKey;
import io.bucketwright.runtime.controller.InFlightState;
import io.bucketwright.runtime.metrics.RoleMetrics;
import io.bucketwright.runtime.metrics.StatusLabels;
import io.bucketwright.runtime.objects.Metadata;
import io.bucketwright.volumes.directories.classes.DirectoryClasses;
import io.bucketwright.volumes.directories.classes.DirectorySettings;
import io.bucketwright.volumes.directories.classes.ResolvedClass;
import io.bucketwright.volumes.directories.objects.DirectoryAnnotations;
import io.bucketwright.volumes.directories.objects.DirectoryCaches;
import io.fabric8.kubernetes.api.model.PersistentVolumeClaim;
import java.util.stream.Stream;

/** What the metrics count in the caches: the claims and volumes that this process serves. */
record DirectoryClaimMetrics(
        DirectorySettings settings,
        DirectoryCaches caches,
        DirectoryClasses classes,
        InFlightState<ObjectKey, DirectoryClaimState> states) {

    static final String CLAIM = "PersistentVolumeClaim";

    void register(RoleMetrics metrics) {
        metrics.claims(CLAIM, this::claims);
        metrics.claims("PersistentVolume", this::volumes);
    }

    private Stream<StatusLabels> claims() {
        return caches.claims.list().stream()
                .filter(this::isServed)
                .map(claim -> StatusLabels.of(
                        claim,
                        states.find(ObjectKey.of(claim))
                                .filter(state -> !state.reported().isEmpty())
                                .map(_ -> DirectoryClaimDecision.REASON)
                                .orElse(StatusLabels.NO_REASON)));
    }

    /** A process of one node counts only the claims of that node. */
    private boolean isServed(PersistentVolumeClaim claim) {
        boolean here = settings.node().isEmpty()
                || settings.node().equals(Metadata.annotation(claim, DirectoryAnnotations.SELECTED_NODE));
        return here
                && settings.servesNamespace(claim.getMetadata().getNamespace())
                && !(classes.resolve(String.valueOf(claim.getSpec().getStorageClassName()))
                        instanceof ResolvedClass.NotServed);
    }

    private Stream<StatusLabels> volumes() {
        return caches.volumes.list().stream()
                .filter(volume -> DirectoryAnnotations.isServed(volume, settings))
                .map(volume -> StatusLabels.of(volume, StatusLabels.NO_REASON));
    }
}
