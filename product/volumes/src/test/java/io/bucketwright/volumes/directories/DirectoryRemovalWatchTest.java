package io.bucketwright.volumes.directories;

import static org.assertj.core.api.Assertions.assertThat;

import io.fabric8.kubernetes.api.model.Namespace;
import io.fabric8.kubernetes.api.model.NamespaceBuilder;
import io.fabric8.kubernetes.api.model.PersistentVolume;
import io.fabric8.kubernetes.api.model.PersistentVolumeClaim;
import io.fabric8.kubernetes.client.utils.Serialization;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** The watch of claims and the watch of volumes are not ordered: whichever is later adds the volume. */
class DirectoryRemovalWatchTest extends InMemoryTestCase {

    @BeforeEach
    void start() {
        Namespace _ = server.create(new NamespaceBuilder()
                .withNewMetadata()
                .withName("kube-system")
                .endMetadata()
                .build());
        DirectoryRemovalController.register(
                process.context(),
                settings,
                caches,
                roots,
                new DirectoryMetrics(process.context().meters()));
        process.start();
    }

    @Test
    void aClaimThatIsDeletedBeforeItWasBoundAddsItsVolume() {
        String uid = createClaim();
        createVolume(uid);
        process.settle();
        server.edit(
                PersistentVolume.class,
                "",
                "team-photos-vol",
                volume -> volume.getStatus().setPhase("Released"));
        server.delete(PersistentVolumeClaim.class, "team", "photos");
        process.deliver(PersistentVolume.class);
        assertThat(process.runNext()).as("the claim is still in the cache").isTrue();
        assertThat(process.runNext()).isFalse();

        process.deliver(PersistentVolumeClaim.class);

        assertThat(process.runNext()).as("the volume is reconciled again").isTrue();
    }

    @Test
    void aClaimThatTakesADirectoryOverAddsTheVolumeOfTheEarlierClaim() {
        createVolume("earlier");
        process.settle();

        createClaim();
        process.deliver(PersistentVolumeClaim.class);

        assertThat(process.runNext())
                .as("the volume of that name is reconciled")
                .isTrue();
    }

    private String createClaim() {
        return server.create(Serialization.unmarshal("""
                        metadata: {namespace: team, name: photos}
                        spec: {storageClassName: shared}
                        status: {phase: Pending}
                        """, PersistentVolumeClaim.class))
                .getMetadata()
                .getUid();
    }

    private void createVolume(String claimUid) {
        PersistentVolume _ = createVolume(
                claimUid,
                "[external-provisioner.volume.kubernetes.io/finalizer]",
                "{namespace: team, name: photos, uid: %s}".formatted(claimUid),
                "Bound");
    }
}
