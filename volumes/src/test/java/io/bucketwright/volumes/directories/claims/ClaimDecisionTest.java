package io.bucketwright.volumes.directories.claims;

import static org.assertj.core.api.Assertions.assertThat;

import io.bucketwright.runtime.ObjectKey;
import io.bucketwright.runtime.controller.Decision;
import io.bucketwright.runtime.controller.Result;
import io.bucketwright.volumes.directories.classes.DirectoryClass;
import io.bucketwright.volumes.directories.files.AssetName;
import io.bucketwright.volumes.directories.files.ClaimIdentity;
import io.bucketwright.volumes.directories.files.DirectoryTree.Found;
import io.bucketwright.volumes.directories.files.Marker;
import io.bucketwright.volumes.directories.files.PosixRoot;
import io.bucketwright.volumes.directories.files.RootIdentity;
import io.bucketwright.volumes.directories.roots.RootState;
import io.bucketwright.volumes.directories.roots.Roots.Holding;
import io.bucketwright.volumes.directories.setup.ClassView;
import io.bucketwright.volumes.directories.setup.Settings;
import io.fabric8.kubernetes.api.model.PersistentVolume;
import io.fabric8.kubernetes.api.model.PersistentVolumeBuilder;
import io.fabric8.kubernetes.api.model.PersistentVolumeClaim;
import io.fabric8.kubernetes.api.model.PersistentVolumeClaimBuilder;
import io.fabric8.kubernetes.api.model.Quantity;
import io.fabric8.kubernetes.api.model.storage.StorageClassBuilder;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Consumer;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

class ClaimDecisionTest {

    private static final String PROVISIONER = "example.com/directory";
    private static final Path ROOT = Path.of("/srv/volumes");
    private static final String GA = "volume.kubernetes.io/storage-provisioner";
    private static final String BETA = "volume.beta.kubernetes.io/storage-provisioner";

    /** What one row of a table can change. */
    static final class World {
        PersistentVolumeClaimBuilder claim = new PersistentVolumeClaimBuilder()
                .withNewMetadata()
                .withNamespace("team")
                .withName("photos")
                .withUid("uid-1")
                .addToAnnotations(GA, PROVISIONER)
                .endMetadata()
                .withNewSpec()
                .withStorageClassName("shared")
                .withNewResources()
                .addToRequests("storage", new Quantity("1Gi"))
                .endResources()
                .endSpec();
        final Map<String, String> parameters =
                new HashMap<>(Map.of("defaultOwnerAssetUid", "1000", "defaultOwnerAssetGid", "1000"));
        StorageClassBuilder storageClass = new StorageClassBuilder()
                .withNewMetadata()
                .withName("shared")
                .withUid("class-1")
                .endMetadata()
                .withProvisioner(PROVISIONER);
        Settings settings = settings("");
        boolean claimGone;
        boolean classGone;
        RootState root = open();
        List<PersistentVolume> volumes = List.of();
        Optional<PersistentVolume> namesake = Optional.empty();
        Optional<Found> named = Optional.empty();
        Optional<Marker> mine = Optional.empty();
        long promised;
        Memory.Progress progress = Memory.Progress.none(0);

        World annotate(String key, String value) {
            claim.editMetadata().addToAnnotations(key, value).endMetadata();
            return this;
        }

        DirectoryClass directoryClass() {
            return DirectoryClass.read(storageClass.withParameters(parameters).build(), ROOT);
        }

        Marker planned() {
            return ((Wish.Granted) new Planning(settings).read(claim.build(), directoryClass(), "ns-1", "root-1"))
                    .plan()
                    .marker();
        }

        Decision<Step> decide() {
            PersistentVolumeClaim built = claim.build();
            return new ClaimDecision(settings)
                    .decide(new Observed(
                            new ObjectKey("team", "photos", "uid-1"),
                            claimGone ? Optional.empty() : Optional.of(built),
                            classGone ? new ClassView.NotOurs() : new ClassView.Ours(directoryClass()),
                            "ns-1",
                            volumes,
                            namesake,
                            root,
                            named,
                            mine.map(marker -> new Holding(ROOT, marker)),
                            promised,
                            progress));
        }
    }

    private static Settings settings(String node) {
        return new Settings(Set.of(), PROVISIONER, ROOT, Map.of(), "", node, () -> "cluster-1");
    }

    private static RootState open() {
        RootIdentity identity = new RootIdentity("root-1", "cluster-1");
        return new RootState.Open(identity, new PosixRoot(ROOT).tree(identity));
    }

    private static PersistentVolume volume(String name) {
        return new PersistentVolumeBuilder()
                .withNewMetadata()
                .withName(name)
                .endMetadata()
                .withNewSpec()
                .endSpec()
                .build();
    }

    private static Arguments row(String what, Consumer<World> change) {
        return Arguments.of(what, change);
    }

    static Stream<Arguments> claimsThatAreNoneOfOurBusiness() {
        return Stream.of(
                row(
                        "bound",
                        world -> world.claim.editSpec().withVolumeName("other").endSpec()),
                row(
                        "going",
                        world -> world.claim
                                .editMetadata()
                                .withDeletionTimestamp("2026-01-01T00:00:00Z")
                                .endMetadata()),
                row("§2.2.5 without a class", world -> {
                    world.claim.editSpec().withStorageClassName(null).endSpec();
                    world.classGone = true;
                }),
                row("of a class that is not there", world -> world.classGone = true),
                row(
                        "not asked of anybody yet",
                        world -> world.claim
                                .editMetadata()
                                .removeFromAnnotations(GA)
                                .endMetadata()),
                row("asked of another", world -> world.annotate(GA, "example.com/other")),
                row(
                        "asked of another, whatever the old key says",
                        world -> world.annotate(GA, "example.com/other").annotate(BETA, PROVISIONER)),
                row("with a volume made for it", world -> world.volumes = List.of(volume("x"))),
                row(
                        "§2.2.10 waiting for a node",
                        world -> world.storageClass.withVolumeBindingMode("WaitForFirstConsumer")),
                row("on another node", world -> {
                    world.settings = settings("here");
                    world.storageClass.withVolumeBindingMode("WaitForFirstConsumer");
                    world.parameters.put("volumeType", "local");
                    world.annotate("volume.kubernetes.io/selected-node", "there");
                }),
                row(
                        "of another namespace than the one served",
                        world -> world.settings =
                                new Settings(Set.of(), PROVISIONER, ROOT, Map.of(), "other", "", () -> "c")));
    }

    @ParameterizedTest(name = "{0}")
    @MethodSource
    void claimsThatAreNoneOfOurBusiness(String what, Consumer<World> change) {
        World world = new World();
        change.accept(world);
        assertThat(world.decide()).isEqualTo(Decision.done());
    }

    /** §2.2.6 (uid 0 and -1 from any tenant), §2.2.8 (policies that are none), §2.2.9 (Block). */
    static Stream<Arguments> claimsThatAreRefusedWithAWord() {
        return Stream.of(
                Arguments.of(
                        "has a selector",
                        change(world -> world.claim
                                .editSpec()
                                .withNewSelector()
                                .addToMatchLabels("a", "b")
                                .endSelector()
                                .endSpec())),
                Arguments.of(
                        "no block device",
                        change(world ->
                                world.claim.editSpec().withVolumeMode("Block").endSpec())),
                Arguments.of("Nobody says which uid", change(world -> world.parameters.remove("defaultOwnerAssetUid"))),
                Arguments.of("Nobody says which gid", change(world -> world.parameters.remove("defaultOwnerAssetGid"))),
                Arguments.of("outside 1-2147483647", change(world -> world.annotate("storage.asset/owner-uid", "0"))),
                Arguments.of("not \"-1\"", change(world -> world.annotate("storage.asset/owner-uid", "-1"))),
                Arguments.of("not \"root\"", change(world -> world.annotate("storage.asset/owner-gid", "root"))),
                Arguments.of("outside 5-6", change(world -> {
                    world.parameters.put("ownerGidRange", "5-6");
                    world.parameters.put("defaultOwnerAssetGid", "5");
                    world.annotate("storage-asset.pv.provisioner/owner-gid", "7");
                })),
                Arguments.of(
                        "must be Delete or Retain, not \"Recycle\"",
                        change(world -> world.annotate("volume.pv.provisioner/reclaim-policy", "Recycle"))),
                Arguments.of("more destructive", change(world -> {
                    world.storageClass.withReclaimPolicy("Retain");
                    world.annotate("volume.pv.provisioner/reclaim-policy", "Delete");
                })),
                Arguments.of("no less than 2Gi", change(world -> world.parameters.put("minSize", "2Gi"))),
                Arguments.of("no more than 1Mi", change(world -> world.parameters.put("maxSize", "1Mi"))),
                Arguments.of(
                        "may not be used in namespace team",
                        change(world -> world.parameters.put("allowedNamespaces", "a,b-*"))),
                Arguments.of(
                        "not this claim's", change(world -> world.namesake = Optional.of(volume("team-photos-vol")))));
    }

    private static Consumer<World> change(Consumer<World> change) {
        return change;
    }

    @ParameterizedTest(name = "{0}")
    @MethodSource
    void claimsThatAreRefusedWithAWord(String word, Consumer<World> change) {
        World world = new World();
        change.accept(world);
        Step.Tell told = tell(world.decide());
        assertThat(told.message()).contains(word);
        assertThat(told.then()).isInstanceOf(Result.RequiresChange.class);
        // Once said, it is not said again.
        world.progress = Memory.Progress.none(0).withTold(told.message());
        assertThat(world.decide()).isEqualTo(Decision.finish(told.then()));
    }

    @Test
    void theOrderIsMarkerDirectoryOwnerVolume() {
        World world = new World();
        assertThat(act(world.decide())).isInstanceOf(Step.RecordIntent.class);
        Marker marker = world.planned();
        assertThat(marker.name()).isEqualTo(new AssetName("team-photos-vol"));
        world.named = Optional.of(new Found.Known(marker));
        world.mine = Optional.of(marker);
        assertThat(act(world.decide())).isInstanceOf(Step.Make.class);
        world.progress = Memory.Progress.none(0).withMade(marker);
        assertThat(act(world.decide())).isInstanceOf(Step.Own.class);
        world.progress = Memory.Progress.none(0).withMade(marker).withOwned(marker);
        assertThat(act(world.decide())).isInstanceOf(Step.LimitSize.class);
        world.progress = world.progress.withLimited(marker, false);
        assertThat(act(world.decide())).isInstanceOf(Step.Publish.class);
        world.volumes = List.of(volume("team-photos-vol"));
        assertThat(world.decide()).isEqualTo(Decision.done());
    }

    @Test
    void aClassThatRequiresQuotasHandsOutNothingWithoutThem() {
        World world = new World();
        world.parameters.put("projectQuota", "require");
        Marker marker = world.planned();
        world.named = Optional.of(new Found.Known(marker));
        world.mine = Optional.of(marker);
        Memory.Progress owned = Memory.Progress.none(0).withMade(marker).withOwned(marker);
        world.progress = owned.withLimited(marker, false);
        assertThat(tell(world.decide()).message()).contains("prjquota");
        world.progress = owned.withLimited(marker, true);
        assertThat(act(world.decide())).isInstanceOf(Step.Publish.class);
        world.parameters.put("projectQuota", "off");
        world.progress = owned;
        assertThat(act(world.decide())).isInstanceOf(Step.Publish.class);
    }

    @Test
    void theOldKeyOfTheProvisionerCountsWhereTheNewOneIsNot() {
        World world = new World();
        world.claim.editMetadata().removeFromAnnotations(GA).endMetadata();
        world.annotate(BETA, PROVISIONER);
        assertThat(act(world.decide())).isInstanceOf(Step.RecordIntent.class);
    }

    @Test
    void theClaimsOwnerHasMoreWeightThanTheClasss() {
        World world = new World();
        world.annotate("storage.asset/owner-uid", "1234");
        assertThat(world.planned().owner().toString()).isEqualTo("1234:1000");
        world.parameters.put("ownerUidRange", "0-10");
        world.parameters.put("defaultOwnerAssetUid", "1");
        world.annotate("storage.asset/owner-uid", "0");
        assertThat(world.planned().owner().toString()).isEqualTo("0:1000");
    }

    @Test
    void aClaimThatChangedItsMindBeforeItsVolumeWasMadeGetsWhatItWantsNow() {
        World world = new World();
        Marker before = world.planned();
        world.annotate("storage.asset/owner-uid", "1234");
        world.named = Optional.of(new Found.Known(before));
        world.mine = Optional.of(before);
        world.progress = Memory.Progress.none(0).withMade(before).withOwned(before);
        assertThat(act(world.decide())).isInstanceOf(Step.ChangeIntent.class);
    }

    /** §2.2.1: a-b/c and a/b-c have the same name, and once one tenant got the other's data. */
    @Test
    void aDirectoryOfAnotherClaimIsNeverHandedOut() {
        World world = new World();
        world.annotate("storage-asset.pv.provisioner/reuse-existing", "true");
        for (Marker.State state : Marker.State.values()) {
            world.named = Optional.of(new Found.Known(other("team-photos", "vol", "ns-2", state)));
            assertThat(tell(world.decide()).message()).contains("run together");
        }
    }

    @Test
    void whatAFormerClaimLeftComesBackOnlyToItsSuccessorInTheSameNamespaceAndOnlyIfWanted() {
        World world = new World();
        world.named = Optional.of(new Found.Known(other("team", "photos", "ns-1", Marker.State.RETAINED)));
        assertThat(tell(world.decide()).message()).contains("reuse-existing");
        world.annotate("storage-asset.pv.provisioner/reuse-existing", "yes");
        assertThat(act(world.decide())).isInstanceOf(Step.ChangeIntent.class);
        world.named = Optional.of(new Found.Known(other("team", "photos", "another-ns", Marker.State.RETAINED)));
        assertThat(act(world.decide())).isInstanceOf(Step.Tell.class);
        world.named = Optional.of(new Found.Known(other("team", "photos", "ns-1", Marker.State.HELD)));
        assertThat(act(world.decide())).isInstanceOf(Step.Tell.class);
    }

    @Test
    void whatIsTakenOverCountsOnce() {
        World world = new World();
        world.annotate("storage-asset.pv.provisioner/reuse-existing", "true");
        world.parameters.put("rootBudget", "1Gi");
        world.promised = 1L << 30;
        world.named = Optional.of(new Found.Known(other("team", "photos", "ns-1", Marker.State.RETAINED)));
        assertThat(act(world.decide())).isInstanceOf(Step.ChangeIntent.class);
    }

    @Test
    void aMarkerOfANewerVersionStopsEverything() {
        World world = new World();
        world.named = Optional.of(new Found.Unknown(new AssetName("team-photos-vol"), "version 2"));
        assertThat(tell(world.decide()).message()).contains("version 2");
    }

    @Test
    void beyondTheBudgetOfTheRootAClaimWaits() {
        World world = new World();
        world.parameters.put("rootBudget", "3Gi");
        world.promised = 2L << 30;
        assertThat(act(world.decide())).isInstanceOf(Step.RecordIntent.class);
        world.promised++;
        Step.Tell told = tell(world.decide());
        assertThat(told.message()).contains("promised already");
        assertThat(told.then()).isInstanceOf(Result.Retry.class);
    }

    @Test
    void aRootThatIsAwayIsToldOnceThenWaitedFor() {
        World world = new World();
        world.root = new RootState.Unopened();
        assertThat(act(world.decide())).isInstanceOf(Step.AwaitRoot.class);
        world.root = new RootState.Closed("Not mounted");
        Step.Tell told = tell(world.decide());
        assertThat(told.message()).contains("Not mounted");
        world.progress = Memory.Progress.none(0).withTold(told.message());
        assertThat(act(world.decide())).isInstanceOf(Step.AwaitRoot.class);
    }

    @Test
    void aClaimThatWentTakesItsMarkerWithItAndNothingElse() {
        World world = new World();
        Marker marker = world.planned();
        world.claimGone = true;
        assertThat(world.decide()).isEqualTo(Decision.done());
        world.mine = Optional.of(marker);
        assertThat(act(world.decide())).isInstanceOf(Step.Withdraw.class);
        world.mine = Optional.of(marker.leaving(""));
        assertThat(act(world.decide())).isInstanceOf(Step.FinishLeaving.class);
        world.mine = Optional.of(marker.retained());
        assertThat(world.decide()).isEqualTo(Decision.done());
        world.mine = Optional.of(marker);
        world.volumes = List.of(volume("team-photos-vol"));
        assertThat(world.decide()).isEqualTo(Decision.done());
    }

    @Test
    void markersOfAnotherClusterProvisionerOrNodeAreNotTouchedThoughTheirClaimsAreNotHere() {
        World world = new World();
        Marker marker = world.planned();
        world.claimGone = true;
        world.mine = Optional.of(marker);
        world.settings = new Settings(Set.of(), PROVISIONER, ROOT, Map.of(), "", "", () -> "another-cluster");
        assertThat(world.decide()).isEqualTo(Decision.done());
        world.settings = new Settings(Set.of(), "example.com/other", ROOT, Map.of(), "", "", () -> "cluster-1");
        assertThat(world.decide()).isEqualTo(Decision.done());
        world.settings = settings("a-node");
        assertThat(world.decide()).isEqualTo(Decision.done());
    }

    @Test
    void aBoundClaimWhoseVolumeWasRemovedByForceKeepsItsDirectory() {
        World world = new World();
        world.mine = Optional.of(world.planned());
        world.claim.editSpec().withVolumeName("team-photos-vol").endSpec();
        assertThat(world.decide()).isEqualTo(Decision.done());
        world.claim.editSpec().withVolumeName("another").endSpec();
        assertThat(act(world.decide())).isInstanceOf(Step.Withdraw.class);
    }

    /** §2.2.7 */
    @Test
    void aNameThatIsTooLongForAVolumeOrAFileBecomesTheClaimsUid() {
        World world = new World();
        world.claim.editMetadata().withName("p".repeat(253)).endMetadata();
        assertThat(world.planned().name()).isEqualTo(new AssetName("pvc-uid-1"));
        World byUid = new World();
        byUid.parameters.put("naming", "uid");
        assertThat(byUid.planned().name()).isEqualTo(new AssetName("pvc-uid-1"));
    }

    private static Marker other(String namespace, String name, String namespaceUid, Marker.State state) {
        Marker marker = new World().planned();
        return new Marker(
                marker.name(),
                new ClaimIdentity(namespace, name, "uid-0", namespaceUid),
                marker.cluster(),
                marker.provisioner(),
                marker.root(),
                marker.storageClass(),
                marker.published(),
                marker.node(),
                marker.owner(),
                marker.mode(),
                marker.bytes(),
                marker.onDelete(),
                state,
                "");
    }

    private static Step act(Decision<Step> decision) {
        assertThat(decision).isInstanceOf(Decision.Act.class);
        return ((Decision.Act<Step>) decision).step();
    }

    private static Step.Tell tell(Decision<Step> decision) {
        assertThat(act(decision)).isInstanceOf(Step.Tell.class);
        return (Step.Tell) act(decision);
    }
}
