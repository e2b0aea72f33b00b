package io.bucketwright.volumes.releaser;

import static org.assertj.core.api.Assertions.assertThat;

import io.bucketwright.runtime.ManualLeadership;
import io.bucketwright.runtime.ManualTime;
import io.bucketwright.runtime.objects.Metadata;
import io.bucketwright.runtime.testing.InMemoryApiServer;
import io.bucketwright.runtime.testing.InMemoryProcess;
import io.bucketwright.volumes.ControllerId;
import io.fabric8.kubernetes.api.model.Namespace;
import io.fabric8.kubernetes.api.model.ObjectMeta;
import io.fabric8.kubernetes.api.model.PersistentVolume;
import io.fabric8.kubernetes.api.model.PersistentVolumeClaim;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.storage.StorageClass;
import io.fabric8.kubernetes.client.utils.Serialization;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;
import org.junit.jupiter.api.Test;

/** The watches of a releaser are independent, so a volume can be seen Bound before its claim or its namespace is seen. */
class ReleaserCachesTest {

    private final InMemoryApiServer server = new InMemoryApiServer();

    @Test
    void theNamespaceOfABoundVolumeIsRecordedWhenItsClaimIsSeen() {
        namespace("ns");
        try (InMemoryProcess process = releaser()) {
            claim("earlier");
            volume(claim("cache"));
            process.deliverNext();
            assertNotRecorded(process);
            process.settle();
            assertRecorded();
        }
    }

    @Test
    void theNamespaceOfABoundVolumeIsRecordedWhenItIsSeen() {
        try (InMemoryProcess process = releaser()) {
            namespace("earlier");
            namespace("also-earlier");
            namespace("ns");
            volume(claim("cache"));
            process.deliverNext();
            process.deliverNext();
            assertNotRecorded(process);
            process.settle();
            assertRecorded();
        }
    }

    /** Its annotations name another volume, or none. Its name is what the volume waits for. */
    @Test
    void theDeletionOfAForeignObjectWithTheNameOfAScrubPodLetsTheScrubBegin() {
        try (InMemoryProcess process = releaser("scrubs")) {
            volume(claim("cache"));
            server.delete(PersistentVolumeClaim.class, "ns", "cache");
            server.edit(PersistentVolume.class, "", "pv", volume -> {
                volume.getStatus().setPhase("Released");
                volume.getMetadata()
                        .setAnnotations(Map.of(
                                ReleaserNames.MODE,
                                "scrub",
                                ReleaserNames.SCRUB_IMAGE,
                                "busybox",
                                ReleaserNames.SCRUB,
                                new RecordedClaim("me", PersistentVolumes.claimUid(volume)).text()));
            });
            String scrub = ScrubObjects.name(stored());
            server.create(Serialization.unmarshal("""
                    metadata:
                      namespace: scrubs
                      name: %s
                      labels: {reclaimable-pv-releaser.kubernetes.io/scrub-for: me}
                    """.formatted(scrub), Pod.class));
            process.settle();
            assertThat(process.writes()).as("the name is taken").isEmpty();

            server.delete(Pod.class, "scrubs", scrub);
            process.settle();

            assertThat(server.get(PersistentVolumeClaim.class, "scrubs", scrub)).isPresent();
        }
    }

    /** The pod was deleted without its claims: they are somebody else's now. */
    @Test
    void theVolumeOfAClaimThatLostItsPodIsNotAssociated() {
        assertAssociated(metadata -> metadata.setOwnerReferences(List.of()), false);
    }

    @Test
    void theVolumeOfAClaimThatLostItsLabelIsAssociated() {
        assertAssociated(metadata -> metadata.setLabels(Map.of()), true);
    }

    private void assertAssociated(Consumer<ObjectMeta> change, boolean associated) {
        namespace("ns");
        server.create(Serialization.unmarshal("metadata: {name: class}", StorageClass.class));
        try (InMemoryProcess process = started("")) {
            PersistentVolumeClaim claim = server.create(Serialization.unmarshal("""
                    metadata:
                      namespace: ns
                      name: cache
                      labels: {dynamic-pvc-provisioner.kubernetes.io/managed-by: me}
                      ownerReferences: [{apiVersion: v1, kind: Pod, name: web, uid: pod-uid, controller: true}]
                    spec: {volumeName: pv}
                    """, PersistentVolumeClaim.class));
            process.settle();
            server.edit(PersistentVolumeClaim.class, "ns", "cache", edited -> change.accept(edited.getMetadata()));
            process.settle();
            volume(claim);
            process.settle();
            assertThat(Metadata.label(stored(), ReleaserNames.MANAGED_BY).equals("me"))
                    .isEqualTo(associated);
        }
    }

    private void assertNotRecorded(InMemoryProcess process) {
        while (process.runNext()) {}
        assertThat(Metadata.annotation(stored(), ReleaserNames.NAMESPACE)).isEmpty();
    }

    private void assertRecorded() {
        String namespace = server.get(Namespace.class, "", "ns")
                .orElseThrow()
                .getMetadata()
                .getUid();
        assertThat(Metadata.annotation(stored(), ReleaserNames.NAMESPACE))
                .isEqualTo(FormerNamespace.text(PersistentVolumes.claimUid(stored()), namespace));
    }

    private InMemoryProcess releaser() {
        return releaser("");
    }

    private InMemoryProcess releaser(String scrubNamespace) {
        server.create(Serialization.unmarshal("""
                metadata:
                  name: class
                  annotations:
                    reclaimable-pv-releaser.kubernetes.io/controller-id: me
                    reclaimable-pv-releaser.kubernetes.io/mode: soft
                """, StorageClass.class));
        return started(scrubNamespace);
    }

    private InMemoryProcess started(String scrubNamespace) {
        InMemoryProcess process = new InMemoryProcess(server, new ManualTime(), new ManualLeadership());
        ReleaseController.register(
                process.context(), new ReleaserSettings(new ControllerId("me"), true, scrubNamespace), 1);
        return process.start();
    }

    private void namespace(String name) {
        server.create(Serialization.unmarshal("metadata: {name: " + name + "}", Namespace.class));
    }

    private PersistentVolumeClaim claim(String name) {
        return server.create(Serialization.unmarshal("""
                metadata: {namespace: ns, name: %s}
                spec: {volumeName: pv}
                status: {phase: Bound}
                """.formatted(name), PersistentVolumeClaim.class));
    }

    private void volume(PersistentVolumeClaim claim) {
        server.create(Serialization.unmarshal("""
                metadata: {name: pv}
                spec:
                  storageClassName: class
                  persistentVolumeReclaimPolicy: Retain
                  claimRef: {namespace: ns, name: cache, uid: "%s"}
                status: {phase: Bound}
                """.formatted(claim.getMetadata().getUid()), PersistentVolume.class));
    }

    private PersistentVolume stored() {
        return server.get(PersistentVolume.class, "", "pv").orElseThrow();
    }
}
