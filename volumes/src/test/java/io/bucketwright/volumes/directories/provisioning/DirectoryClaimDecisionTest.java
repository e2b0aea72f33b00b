package io.bucketwright.volumes.directories.provisioning;







import static org.assertj.core.api.Assertions.assertThat;

import io.bucketwright.runtime.ObjectKey;
import io.bucketwright.runtime.controller.Decision;
import io.bucketwright.runtime.controller.Recovery;
import io.bucketwright.volumes.directories.classes.DirectoryClass;
import io.bucketwright.volumes.directories.files.DirectoryName;
import io.bucketwright.volumes.directories.files.ClaimIdentity;
import io.bucketwright.volumes.directories.files.MarkerFile;
import io.bucketwright.volumes.directories.files.Marker;
import io.bucketwright.volumes.directories.files.RootIdentity;
import io.bucketwright.volumes.directories.roots.RootState;
import io.bucketwright.volumes.directories.roots.MarkerLocation;
import io.bucketwright.volumes.directories.classes.ResolvedClass;
import io.bucketwright.volumes.directories.classes.DirectorySettings;
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

class DirectoryClaimDecisionTest {

    private static final String PROVISIONER = "example.com/directory";
    private static final Path ROOT = Path.of("/srv/volumes");
    private static final String GA = "volume.kubernetes.io/storage-provisioner";
    private static final String BETA = "volume.beta.kubernetes.io/storage-provisioner";

    /** An observation that each test changes. */
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
        DirectorySettings settings = settings("");
        String clusterId = "cluster-1";
        boolean claimDeleted;
        boolean classMissing;
        RootState root = open();
        List<PersistentVolume> volumes = List.of();
        Optional<PersistentVolume> sameNameVolume = Optional.empty();
        Optional<MarkerFile> sameNameMarker = Optional.empty();
        Optional<Marker> ownMarker = Optional.empty();
        long requestedByOthers;
        DirectoryClaimState state = DirectoryClaimState.INITIAL;

        World annotate(String key, String value) {
            claim.editMetadata().addToAnnotations(key, value).endMetadata();
            return this;
        }

        DirectoryClass directoryClass() {
            return DirectoryClass.parse(storageClass.withParameters(parameters).build(), ROOT);
        }

        Marker planned() {
            return DirectoryRequestParser.parse(
                            claim.build(), directoryClass(), "ns-1", clusterId, "root-1", settings.node())
                    .marker();
        }

        Decision<DirectoryClaimStep> decide() {
            PersistentVolumeClaim built = claim.build();
            return new DirectoryClaimDecision(settings)
                    .decide(new DirectoryClaimObservation(
                            new ObjectKey("team", "photos", "uid-1"),
                            claimDeleted ? Optional.empty() : Optional.of(built),
                            classMissing ? new ResolvedClass.NotServed() : new ResolvedClass.Served(directoryClass()),
                            clusterId,
                            "ns-1",
                            volumes,
                            sameNameVolume,
                            root,
                            sameNameMarker,
                            ownMarker.map(marker -> new MarkerLocation(ROOT, marker)),
                            requestedByOthers,
                            state));
        }
    }

    private static DirectorySettings settings(String node) {
        return new DirectorySettings(Set.of(), PROVISIONER, ROOT, Map.of(), "", node);
    }

    private static RootState open() {
        return new RootState.Open(new RootIdentity("root-1", "cluster-1"));
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

    static Stream<Arguments> claimsThatAreNotServed() {
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
                    world.classMissing = true;
                }),
                row("of a class that is not there", world -> world.classMissing = true),
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
                                new DirectorySettings(Set.of(), PROVISIONER, ROOT, Map.of(), "other", "")));
    }

    @ParameterizedTest(name = "{0}")
    @MethodSource
    void claimsThatAreNotServed(String what, Consumer<World> change) {
        World world = new World();
        change.accept(world);
        assertThat(world.decide()).isEqualTo(Decision.done());
    }

    /** §2.2.6 (uid 0 and -1 from any tenant), §2.2.8 (policies that are none), §2.2.9 (Block). */
    static Stream<Arguments> invalidClaimsAreReportedOnce() {
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
                        "not a block device",
                        change(world ->
                                world.claim.editSpec().withVolumeMode("Block").endSpec())),
                Arguments.of("owner uid of the directory is not specified", change(world -> world.parameters.remove("defaultOwnerAssetUid"))),
                Arguments.of("owner gid of the directory is not specified", change(world -> world.parameters.remove("defaultOwnerAssetGid"))),
                Arguments.of("outside the range 1-2147483647", change(world -> world.annotate("storage.asset/owner-uid", "0"))),
                Arguments.of("not \"-1\"", change(world -> world.annotate("storage.asset/owner-uid", "-1"))),
                Arguments.of("not \"root\"", change(world -> world.annotate("storage.asset/owner-gid", "root"))),
                Arguments.of("outside the range 5-6", change(world -> {
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
                Arguments.of("at least 2Gi", change(world -> world.parameters.put("minSize", "2Gi"))),
                Arguments.of("at most 1Mi", change(world -> world.parameters.put("maxSize", "1Mi"))),
                Arguments.of(
                        "does not allow namespace team",
                        change(world -> world.parameters.put("allowedNamespaces", "a,b-*"))),
                Arguments.of(
                        "not owned by this claim", change(world -> world.sameNameVolume = Optional.of(volume("team-photos-vol")))));
    }

    private static Consumer<World> change(Consumer<World> change) {
        return change;
    }

    @ParameterizedTest(name = "{0}")
    @MethodSource
    void invalidClaimsAreReportedOnce(String problem, Consumer<World> change) {
        World world = new World();
        change.accept(world);
        DirectoryClaimStep.ReportProblem reported = report(world.decide());
        assertThat(reported.problem().message()).contains(problem);
        assertThat(reported.problem().recovery()).isEqualTo(Recovery.CHANGE);
        // It is reported only once.
        world.state = DirectoryClaimState.INITIAL.withReported(reported.problem().message());
        assertThat(world.decide()).isEqualTo(Decision.finish(reported.problem().result()));
    }

    @Test
    void theOrderIsMarkerDirectoryOwnerVolume() {
        World world = new World();
        assertThat(act(world.decide())).isInstanceOf(DirectoryClaimStep.CreateMarker.class);
        Marker marker = world.planned();
        assertThat(marker.name()).isEqualTo(new DirectoryName("team-photos-vol"));
        world.sameNameMarker = Optional.of(new MarkerFile.Valid(marker));
        world.ownMarker = Optional.of(marker);
        assertThat(act(world.decide())).isInstanceOf(DirectoryClaimStep.CreateDirectory.class);
        world.state = DirectoryClaimState.INITIAL.withCreated(marker);
        assertThat(act(world.decide())).isInstanceOf(DirectoryClaimStep.SetOwner.class);
        world.state = DirectoryClaimState.INITIAL.withCreated(marker).withOwned(marker);
        assertThat(act(world.decide())).isInstanceOf(DirectoryClaimStep.SetQuota.class);
        world.state = world.state.withLimited(marker, false);
        assertThat(act(world.decide())).isInstanceOf(DirectoryClaimStep.CreateVolume.class);
        world.volumes = List.of(volume("team-photos-vol"));
        assertThat(world.decide()).isEqualTo(Decision.done());
    }

    @Test
    void aClassThatRequiresQuotasCreatesNoVolumeWithoutThem() {
        World world = new World();
        world.parameters.put("projectQuota", "require");
        Marker marker = world.planned();
        world.sameNameMarker = Optional.of(new MarkerFile.Valid(marker));
        world.ownMarker = Optional.of(marker);
        DirectoryClaimState owned = DirectoryClaimState.INITIAL.withCreated(marker).withOwned(marker);
        world.state = owned.withLimited(marker, false);
        assertThat(report(world.decide()).problem().message()).contains("prjquota");
        world.state = owned.withLimited(marker, true);
        assertThat(act(world.decide())).isInstanceOf(DirectoryClaimStep.CreateVolume.class);
        world.parameters.put("projectQuota", "off");
        world.state = owned;
        assertThat(act(world.decide())).isInstanceOf(DirectoryClaimStep.CreateVolume.class);
    }

    @Test
    void theBetaAnnotationIsUsedIfTheOtherIsMissing() {
        World world = new World();
        world.claim.editMetadata().removeFromAnnotations(GA).endMetadata();
        world.annotate(BETA, PROVISIONER);
        assertThat(act(world.decide())).isInstanceOf(DirectoryClaimStep.CreateMarker.class);
    }

    @Test
    void theOwnerOfTheClaimOverridesTheDefaultOfTheClass() {
        World world = new World();
        world.annotate("storage.asset/owner-uid", "1234");
        assertThat(world.planned().owner().toString()).isEqualTo("1234:1000");
        world.parameters.put("ownerUidRange", "0-10");
        world.parameters.put("defaultOwnerAssetUid", "1");
        world.annotate("storage.asset/owner-uid", "0");
        assertThat(world.planned().owner().toString()).isEqualTo("0:1000");
    }

    @Test
    void aClaimThatChangesBeforeItsVolumeIsCreatedReplacesItsMarker() {
        World world = new World();
        Marker before = world.planned();
        world.annotate("storage.asset/owner-uid", "1234");
        world.sameNameMarker = Optional.of(new MarkerFile.Valid(before));
        world.ownMarker = Optional.of(before);
        world.state = DirectoryClaimState.INITIAL.withCreated(before).withOwned(before);
        assertThat(act(world.decide())).isInstanceOf(DirectoryClaimStep.ReplaceMarker.class);
    }

    /** §2.2.1: a-b/c and a/b-c have the same name, and once one tenant got the other's data. */
    @Test
    void theDirectoryOfAnotherClaimIsNeverUsed() {
        World world = new World();
        world.annotate("storage-asset.pv.provisioner/reuse-existing", "true");
        for (Marker.State state : Marker.State.values()) {
            world.sameNameMarker = Optional.of(new MarkerFile.Valid(other("team-photos", "vol", "ns-2", state)));
            assertThat(report(world.decide()).problem().message()).contains("same directory name");
        }
    }

    @Test
    void aRetainedDirectoryIsReusedOnlyInTheSameNamespaceAndOnlyOnRequest() {
        World world = new World();
        world.sameNameMarker = Optional.of(new MarkerFile.Valid(other("team", "photos", "ns-1", Marker.State.RETAINED)));
        assertThat(report(world.decide()).problem().message()).contains("reuse-existing");
        world.annotate("storage-asset.pv.provisioner/reuse-existing", "yes");
        assertThat(act(world.decide())).isInstanceOf(DirectoryClaimStep.ReplaceMarker.class);
        world.sameNameMarker = Optional.of(new MarkerFile.Valid(other("team", "photos", "another-ns", Marker.State.RETAINED)));
        assertThat(act(world.decide())).isInstanceOf(DirectoryClaimStep.ReportProblem.class);
        world.sameNameMarker = Optional.of(new MarkerFile.Valid(other("team", "photos", "ns-1", Marker.State.IN_USE)));
        assertThat(act(world.decide())).isInstanceOf(DirectoryClaimStep.ReportProblem.class);
    }

    @Test
    void aReusedDirectoryIsCountedOnce() {
        World world = new World();
        world.annotate("storage-asset.pv.provisioner/reuse-existing", "true");
        world.parameters.put("rootBudget", "1Gi");
        world.requestedByOthers = 1L << 30;
        world.sameNameMarker = Optional.of(new MarkerFile.Valid(other("team", "photos", "ns-1", Marker.State.RETAINED)));
        assertThat(act(world.decide())).isInstanceOf(DirectoryClaimStep.ReplaceMarker.class);
    }

    @Test
    void aMarkerThatCannotBeReadIsReported() {
        World world = new World();
        world.sameNameMarker = Optional.of(new MarkerFile.Invalid(new DirectoryName("team-photos-vol"), "version 2"));
        assertThat(report(world.decide()).problem().message()).contains("version 2");
    }

    @Test
    void aClaimThatExceedsTheBudgetIsRetried() {
        World world = new World();
        world.parameters.put("rootBudget", "3Gi");
        world.requestedByOthers = 2L << 30;
        assertThat(act(world.decide())).isInstanceOf(DirectoryClaimStep.CreateMarker.class);
        world.requestedByOthers++;
        DirectoryClaimStep.ReportProblem reported = report(world.decide());
        assertThat(reported.problem().message()).contains("already requested");
        assertThat(reported.problem().recovery()).isEqualTo(Recovery.UNWATCHED_CHANGE);
    }

    @Test
    void anUnavailableRootIsReportedOnceAndThenAwaited() {
        World world = new World();
        world.root = new RootState.NotOpened();
        assertThat(act(world.decide())).isInstanceOf(DirectoryClaimStep.AwaitRoot.class);
        world.root = new RootState.Unavailable("Not mounted");
        DirectoryClaimStep.ReportProblem reported = report(world.decide());
        assertThat(reported.problem().message()).contains("Not mounted");
        world.state = DirectoryClaimState.INITIAL.withReported(reported.problem().message());
        assertThat(act(world.decide())).isInstanceOf(DirectoryClaimStep.AwaitRoot.class);
    }

    @Test
    void theMarkerOfADeletedClaimIsRemoved() {
        World world = new World();
        Marker marker = world.planned();
        world.claimDeleted = true;
        assertThat(world.decide()).isEqualTo(Decision.done());
        world.ownMarker = Optional.of(marker);
        assertThat(act(world.decide())).isInstanceOf(DirectoryClaimStep.RemoveUnused.class);
        world.ownMarker = Optional.of(marker.deleting(""));
        assertThat(act(world.decide())).isInstanceOf(DirectoryClaimStep.CompleteDeletion.class);
        world.ownMarker = Optional.of(marker.retained());
        assertThat(world.decide()).isEqualTo(Decision.done());
        world.ownMarker = Optional.of(marker);
        world.volumes = List.of(volume("team-photos-vol"));
        assertThat(world.decide()).isEqualTo(Decision.done());
    }

    @Test
    void markersOfAnotherClusterProvisionerOrNodeAreLeftUnchanged() {
        World world = new World();
        Marker marker = world.planned();
        world.claimDeleted = true;
        world.ownMarker = Optional.of(marker);
        world.clusterId = "another-cluster";
        assertThat(world.decide()).isEqualTo(Decision.done());
        world.clusterId = "cluster-1";
        world.settings = new DirectorySettings(Set.of(), "example.com/other", ROOT, Map.of(), "", "");
        assertThat(world.decide()).isEqualTo(Decision.done());
        world.settings = settings("a-node");
        assertThat(world.decide()).isEqualTo(Decision.done());
    }

    @Test
    void aBoundClaimWithoutItsVolumeKeepsItsDirectory() {
        World world = new World();
        world.ownMarker = Optional.of(world.planned());
        world.claim.editSpec().withVolumeName("team-photos-vol").endSpec();
        assertThat(world.decide()).isEqualTo(Decision.done());
        world.claim.editSpec().withVolumeName("another").endSpec();
        assertThat(act(world.decide())).isInstanceOf(DirectoryClaimStep.RemoveUnused.class);
    }

    /** §2.2.7 */
    @Test
    void aNameThatIsTooLongIsReplacedByTheUid() {
        World world = new World();
        world.claim.editMetadata().withName("p".repeat(253)).endMetadata();
        assertThat(world.planned().name()).isEqualTo(new DirectoryName("pvc-uid-1"));
        World byUid = new World();
        byUid.parameters.put("naming", "uid");
        assertThat(byUid.planned().name()).isEqualTo(new DirectoryName("pvc-uid-1"));
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

    private static DirectoryClaimStep act(Decision<DirectoryClaimStep> decision) {
        assertThat(decision).isInstanceOf(Decision.Act.class);
        return ((Decision.Act<DirectoryClaimStep>) decision).step();
    }

    private static DirectoryClaimStep.ReportProblem report(Decision<DirectoryClaimStep> decision) {
        assertThat(act(decision)).isInstanceOf(DirectoryClaimStep.ReportProblem.class);
        return (DirectoryClaimStep.ReportProblem) act(decision);
    }
}
