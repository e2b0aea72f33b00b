package io.bucketwright.volumes.directories;

import static org.assertj.core.api.Assertions.assertThat;

import io.bucketwright.runtime.ObjectKey;
import io.bucketwright.runtime.controller.Decision;
import io.bucketwright.runtime.controller.Problem;
import io.bucketwright.volumes.directories.classes.DirectoryClass;
import io.bucketwright.volumes.directories.classes.DirectorySettings;
import io.bucketwright.volumes.directories.classes.ResolvedClass;
import io.bucketwright.volumes.directories.files.Marker;
import io.bucketwright.volumes.directories.files.MarkerFile;
import io.bucketwright.volumes.directories.files.RootIdentity;
import io.fabric8.kubernetes.api.model.PersistentVolume;
import io.fabric8.kubernetes.api.model.PersistentVolumeClaim;
import io.fabric8.kubernetes.api.model.storage.StorageClass;
import io.fabric8.kubernetes.client.utils.Serialization;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/** An observation of a claim that each test changes. */
final class ClaimWorld {

    static final String PROVISIONER = "example.com/directory";
    static final Path ROOT = Path.of("/srv/volumes");

    final PersistentVolumeClaim claim = Serialization.unmarshal("""
            metadata:
              namespace: team
              name: photos
              uid: uid-1
              annotations: {volume.kubernetes.io/storage-provisioner: example.com/directory}
            spec: {storageClassName: shared, resources: {requests: {storage: 1Gi}}}
            """, PersistentVolumeClaim.class);
    final Map<String, String> parameters =
            new HashMap<>(Map.of("defaultOwnerAssetUid", "1000", "defaultOwnerAssetGid", "1000"));
    final StorageClass storageClass = Serialization.unmarshal("""
            metadata: {name: shared, uid: class-1}
            provisioner: example.com/directory
            """, StorageClass.class);
    DirectorySettings settings = settings("", "");
    String clusterId = "cluster-1";
    String namespaceUid = "ns-1";
    boolean claimDeleted;
    boolean classMissing;
    boolean nodeLocal;
    long nanos;
    RootState root = open();
    Optional<String> hanging = Optional.empty();
    List<PersistentVolume> volumes = List.of();
    Optional<PersistentVolume> sameNameVolume = Optional.empty();
    Optional<MarkerFile> sameNameMarker = Optional.empty();
    Optional<Marker> ownMarker = Optional.empty();
    Optional<PersistentVolume> ownMarkerVolume = Optional.empty();
    Optional<Marker> boundMarker = Optional.empty();
    long requestedByOthers;
    DirectoryClaimState state = DirectoryClaimState.INITIAL;

    /** Both the marker of the claim and the marker with the name of its directory. */
    Marker marked() {
        Marker marker = planned();
        sameNameMarker = Optional.of(new MarkerFile.Valid(marker));
        ownMarker = Optional.of(marker);
        return marker;
    }

    ClaimWorld annotate(String key, String value) {
        claim.getMetadata().getAnnotations().put(key, value);
        return this;
    }

    DirectoryClass directoryClass() {
        storageClass.setParameters(parameters);
        return DirectoryClass.parse(storageClass, ROOT);
    }

    Marker planned() {
        return DirectoryRequest.parse(claim, directoryClass(), "ns-1", clusterId, "root-1", settings.node())
                .marker();
    }

    Decision<DirectoryClaimStep> decide() {
        return new DirectoryClaimDecision(
                        settings,
                        new DirectoryClaimObservation(
                                new ObjectKey("team", "photos", "uid-1"),
                                claimDeleted ? Optional.empty() : Optional.of(claim),
                                resolvedClass(),
                                clusterId,
                                namespaceUid,
                                volumes,
                                sameNameVolume,
                                new RootObservation(root, hanging),
                                sameNameMarker,
                                ownMarker.map(marker -> new MarkerLocation(ROOT, marker)),
                                ownMarkerVolume,
                                boundMarker,
                                requestedByOthers,
                                nanos,
                                state))
                .decide();
    }

    DirectoryClaimStep step() {
        assertThat(decide()).isInstanceOf(Decision.Act.class);
        return ((Decision.Act<DirectoryClaimStep>) decide()).step();
    }

    Problem reported() {
        assertThat(step()).isInstanceOf(DirectoryClaimStep.ReportProblem.class);
        return ((DirectoryClaimStep.ReportProblem) step()).problem();
    }

    private ResolvedClass resolvedClass() {
        if (classMissing) {
            return new ResolvedClass.NotServed();
        }
        return nodeLocal ? new ResolvedClass.NodeLocal(PROVISIONER) : new ResolvedClass.Served(directoryClass());
    }

    static DirectorySettings settings(String namespace, String node) {
        return new DirectorySettings(Set.of(), PROVISIONER, ROOT, Map.of(), namespace, node);
    }

    static RootState open() {
        return new RootState.Open(new RootIdentity("root-1", "cluster-1"));
    }
}
