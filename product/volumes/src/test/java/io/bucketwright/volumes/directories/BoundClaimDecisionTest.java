package io.bucketwright.volumes.directories;

import static org.assertj.core.api.Assertions.assertThat;

import io.bucketwright.runtime.controller.Decision;
import io.bucketwright.volumes.directories.DirectoryClaimState.Progress;
import io.bucketwright.volumes.directories.files.DirectoryMode;
import io.bucketwright.volumes.directories.files.DirectoryOwner;
import io.bucketwright.volumes.directories.files.Marker;
import io.fabric8.kubernetes.api.model.PersistentVolume;
import io.fabric8.kubernetes.api.model.Quantity;
import io.fabric8.kubernetes.client.utils.Serialization;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** A claim that is bound to a volume which was released by another claim. */
class BoundClaimDecisionTest {

    private static final String NAME = "team-earlier-vol";
    private static final String BOUND_CLAIM = "bucketwright.io/directory-bound-claim-uid";

    private final ClaimWorld world = new ClaimWorld();
    private final PersistentVolume volume = Serialization.unmarshal("""
            metadata:
              name: team-earlier-vol
              annotations:
                pv.kubernetes.io/provisioned-by: example.com/directory
                bucketwright.io/directory-root: root-1
                bucketwright.io/directory-claim-uid: uid-0
            spec:
              storageClassName: shared
              capacity: {storage: 1Gi}
              claimRef: {namespace: team, name: photos, uid: uid-1}
            """, PersistentVolume.class);
    private Marker marker = world.planned();

    @BeforeEach
    void bind() {
        marker = DirectoryClaimDecisionTest.markerOfAnotherClaim(marker, NAME);
        world.claim.getSpec().setVolumeName(NAME);
        world.volumes = List.of(volume);
        world.boundMarker = Optional.of(marker);
    }

    @Test
    void ownerAndModeAreSetOnceForEachBinding() {
        world.annotate("storage.asset/owner-uid", "1234");
        world.parameters.put("mode", "2770");
        DirectoryClaimStep.RestoreOwner step = (DirectoryClaimStep.RestoreOwner) world.step();
        assertThat(step.before()).isEqualTo(marker);
        assertThat(step.after()).isEqualTo(marker.ownedBy(new DirectoryOwner(1234, 1000), DirectoryMode.parse("2770")));
        world.state = world.state.with(step.after(), Progress.OWNED);
        world.boundMarker = Optional.of(step.after());
        assertThat(world.step()).isInstanceOf(DirectoryClaimStep.RecordBinding.class);
        volume.getMetadata().getAnnotations().put(BOUND_CLAIM, "uid-1");
        assertThat(world.decide()).isEqualTo(Decision.done());
    }

    /** The predecessor of the claim may have made its directory inaccessible. */
    @Test
    void ownerAndModeAreRestoredIfTheClaimRequestsNone() {
        world.parameters.remove("defaultOwnerAssetUid");
        world.parameters.remove("defaultOwnerAssetGid");
        DirectoryClaimStep.RestoreOwner step = (DirectoryClaimStep.RestoreOwner) world.step();
        assertThat(step.after()).isEqualTo(marker.ownedBy(marker.owner(), DirectoryMode.parse("0770")));
    }

    @Test
    void anOwnerThatTheClassDoesNotAllowIsReported() {
        world.annotate("storage.asset/owner-uid", "0");
        assertThat(world.reported().message()).contains("not set for this claim", "outside the range");
    }

    @Test
    void theClaimThatTheDirectoryWasCreatedForNeedsNothing() {
        volume.getMetadata().getAnnotations().put("bucketwright.io/directory-claim-uid", "uid-1");
        assertThat(world.decide()).isEqualTo(Decision.done());
    }

    @Test
    void aClosedRootIsAwaited() {
        world.root = new RootState.NotOpened();
        assertThat(world.step()).isInstanceOf(DirectoryClaimStep.AwaitRoot.class);
    }

    /** Anybody can write the name of a volume into a claim; only Kubernetes writes the uid of a claim into a volume. */
    @Test
    void aVolumeThatIsNotBoundToTheClaimIsNotChanged() {
        volume.getSpec().getClaimRef().setUid("another");
        assertThat(world.decide()).isEqualTo(Decision.done());
        volume.getSpec().setClaimRef(null);
        assertThat(world.decide()).isEqualTo(Decision.done());
    }

    @Test
    void aVolumeOfAnotherProvisionerOrWithAnotherMarkerIsNotChanged() {
        world.boundMarker = Optional.of(world.planned());
        assertThat(world.decide()).isEqualTo(Decision.done());
        world.boundMarker = Optional.empty();
        assertThat(world.decide()).isEqualTo(Decision.done());
        world.boundMarker = Optional.of(marker);
        volume.getMetadata().getAnnotations().put("pv.kubernetes.io/provisioned-by", "example.com/other");
        assertThat(world.decide()).isEqualTo(Decision.done());
    }

    @Test
    void aLargerSizeIsReported() {
        volume.getMetadata().getAnnotations().put(BOUND_CLAIM, "uid-1");
        volume.getSpec().getCapacity().put("storage", new Quantity("500Mi"));
        assertThat(world.reported())
                .satisfies(problem -> assertThat(problem.reason()).isEqualTo("VolumeResizeFailed"))
                .satisfies(problem -> assertThat(problem.message()).contains("500Mi", "are not expanded"));
    }
}
