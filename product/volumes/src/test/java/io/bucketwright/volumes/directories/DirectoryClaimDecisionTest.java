package io.bucketwright.volumes.directories;

import static org.assertj.core.api.Assertions.assertThat;

import io.bucketwright.runtime.ObjectKey;
import io.bucketwright.runtime.controller.Decision;
import io.bucketwright.runtime.controller.Problem;
import io.bucketwright.runtime.controller.Recovery;
import io.bucketwright.runtime.controller.Result;
import io.bucketwright.volumes.directories.DirectoryClaimState.Progress;
import io.bucketwright.volumes.directories.classes.DirectorySettings;
import io.bucketwright.volumes.directories.files.ClaimIdentity;
import io.bucketwright.volumes.directories.files.DirectoryName;
import io.bucketwright.volumes.directories.files.Marker;
import io.bucketwright.volumes.directories.files.MarkerFile;
import io.bucketwright.volumes.directories.files.SampleMarkers;
import io.fabric8.kubernetes.api.model.LabelSelector;
import io.fabric8.kubernetes.api.model.PersistentVolume;
import io.fabric8.kubernetes.api.model.TypedLocalObjectReference;
import io.fabric8.kubernetes.api.model.TypedObjectReference;
import io.fabric8.kubernetes.client.utils.Serialization;
import java.time.Duration;
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

    private static final String GA = "volume.kubernetes.io/storage-provisioner";
    private static final String BETA = "volume.beta.kubernetes.io/storage-provisioner";

    private final ClaimWorld world = new ClaimWorld();

    private static PersistentVolume volume(String name) {
        return Serialization.unmarshal("metadata: {name: %s}\nspec: {}".formatted(name), PersistentVolume.class);
    }

    private static Arguments row(String what, Consumer<ClaimWorld> change) {
        return Arguments.of(what, change);
    }

    static Stream<Arguments> claimsThatAreNotServed() {
        return Stream.of(
                row("bound", world -> world.claim.getSpec().setVolumeName("other")),
                row("being deleted", world -> world.claim.getMetadata().setDeletionTimestamp("2026-01-01T00:00:00Z")),
                row("§2.2.5 without a class", world -> {
                    world.claim.getSpec().setStorageClassName(null);
                    world.classMissing = true;
                }),
                row("of a class that does not exist", world -> world.classMissing = true),
                row(
                        "not assigned to a provisioner yet",
                        world -> world.claim.getMetadata().getAnnotations().remove(GA)),
                row("assigned to another provisioner", world -> world.annotate(GA, "example.com/other")),
                row(
                        "assigned to another provisioner, with the beta annotation for this one",
                        world -> world.annotate(GA, "example.com/other").annotate(BETA, ClaimWorld.PROVISIONER)),
                row("with a volume created for it", world -> world.volumes = List.of(volume("x"))),
                row(
                        "§2.2.10 waiting for a node",
                        world -> world.storageClass.setVolumeBindingMode("WaitForFirstConsumer")),
                row("on another node", world -> {
                    world.settings = ClaimWorld.settings("", "here");
                    world.storageClass.setVolumeBindingMode("WaitForFirstConsumer");
                    world.parameters.put("volumeType", "local");
                    world.annotate("volume.kubernetes.io/selected-node", "there");
                }),
                row("in a namespace that is not served", world -> world.settings = ClaimWorld.settings("other", "")));
    }

    @ParameterizedTest(name = "{0}")
    @MethodSource
    void claimsThatAreNotServed(String what, Consumer<ClaimWorld> change) {
        change.accept(world);
        assertThat(world.decide()).isEqualTo(Decision.done());
    }

    /** §2.2.6 (uid 0 and -1 from any tenant), §2.2.8 (policies that are none), §2.2.9 (Block). */
    static Stream<Arguments> invalidClaimsAreReportedOnce() {
        return Stream.of(
                row(
                        "has a selector",
                        world -> world.claim.getSpec().setSelector(new LabelSelector(List.of(), Map.of("a", "b")))),
                row(
                        "has a dataSource",
                        world -> world.claim.getSpec().setDataSource(new TypedLocalObjectReference(null, "Pvc", "a"))),
                row(
                        "has a dataSource",
                        world -> world.claim
                                .getSpec()
                                .setDataSourceRef(new TypedObjectReference(null, "Pvc", "a", "b"))),
                row("not a block device", world -> world.claim.getSpec().setVolumeMode("Block")),
                row(
                        "owner uid of the directory is not specified",
                        world -> world.parameters.remove("defaultOwnerAssetUid")),
                row(
                        "owner gid of the directory is not specified",
                        world -> world.parameters.remove("defaultOwnerAssetGid")),
                row("outside the range 1-2147483647", world -> world.annotate("storage.asset/owner-uid", "0")),
                row("not \"-1\"", world -> world.annotate("storage.asset/owner-uid", "-1")),
                row("not \"root\"", world -> world.annotate("storage.asset/owner-gid", "root")),
                row("outside the range 5-6", world -> {
                    world.parameters.put("ownerGidRange", "5-6");
                    world.parameters.put("defaultOwnerAssetGid", "5");
                    world.annotate("storage-asset.pv.provisioner/owner-gid", "7");
                }),
                row(
                        "must be Delete or Retain, not \"Recycle\"",
                        world -> world.annotate("volume.pv.provisioner/reclaim-policy", "Recycle")),
                row("more destructive", world -> {
                    world.storageClass.setReclaimPolicy("Retain");
                    world.annotate("volume.pv.provisioner/reclaim-policy", "Delete");
                }),
                row("at least 2Gi", world -> world.parameters.put("minSize", "2Gi")),
                row("at most 1Mi", world -> world.parameters.put("maxSize", "1Mi")),
                row("does not allow namespace team", world -> world.parameters.put("allowedNamespaces", "a,b-*")),
                row("not owned by this claim", world -> world.sameNameVolume = Optional.of(volume("team-photos-vol"))));
    }

    @ParameterizedTest(name = "{0}")
    @MethodSource
    void invalidClaimsAreReportedOnce(String problem, Consumer<ClaimWorld> change) {
        change.accept(world);
        Problem reported = world.reported();
        assertThat(reported.message()).contains(problem);
        assertThat(reported.recovery()).isEqualTo(Recovery.CHANGE);
        // It is reported only once.
        world.state = DirectoryClaimState.INITIAL.withReported(reported.message());
        assertThat(world.decide()).isEqualTo(Decision.finish(reported.result()));
    }

    @Test
    void theOrderIsMarkerDirectoryOwnerVolume() {
        assertThat(world.step()).isInstanceOf(DirectoryClaimStep.CreateMarker.class);
        Marker marker = world.marked();
        assertThat(marker.name()).isEqualTo(new DirectoryName("team-photos-vol"));
        assertThat(world.step()).isInstanceOf(DirectoryClaimStep.CreateDirectory.class);
        world.state = DirectoryClaimState.INITIAL.with(marker, Progress.CREATED);
        assertThat(world.step()).isInstanceOf(DirectoryClaimStep.SetOwner.class);
        world.state = DirectoryClaimState.INITIAL.with(marker, Progress.OWNED);
        assertThat(world.step()).isInstanceOf(DirectoryClaimStep.SetQuota.class);
        world.state = world.state.with(marker, Progress.UNLIMITED);
        assertThat(world.step()).isInstanceOf(DirectoryClaimStep.CreateVolume.class);
        world.volumes = List.of(volume("team-photos-vol"));
        assertThat(world.decide()).isEqualTo(Decision.done());
    }

    @Test
    void aClassThatRequiresQuotasCreatesNoVolumeWithoutThem() {
        world.parameters.put("projectQuota", "require");
        Marker marker = world.marked();
        DirectoryClaimState owned = DirectoryClaimState.INITIAL.with(marker, Progress.OWNED);
        world.state = owned.with(marker, Progress.UNLIMITED);
        assertThat(world.reported().message()).contains("prjquota");
        world.state = owned.with(marker, Progress.LIMITED);
        assertThat(world.step()).isInstanceOf(DirectoryClaimStep.CreateVolume.class);
        world.parameters.put("projectQuota", "off");
        world.state = owned;
        assertThat(world.step()).isInstanceOf(DirectoryClaimStep.CreateVolume.class);
    }

    /** The cache of namespaces may lag behind that of claims, and a marker without the uid refuses every successor. */
    @Test
    void nothingIsCreatedBeforeTheUidOfTheNamespaceIsKnown() {
        world.namespaceUid = "";
        assertThat(world.decide()).isEqualTo(Decision.finish(Result.requeueAfter(Duration.ofMillis(200))));
        world.marked();
        assertThat(world.decide())
                .as("a marker with the uid is not replaced")
                .isEqualTo(Decision.finish(Result.requeueAfter(Duration.ofMillis(200))));
    }

    @Test
    void theBetaAnnotationIsUsedIfTheOtherIsMissing() {
        world.claim.getMetadata().getAnnotations().remove(GA);
        world.annotate(BETA, ClaimWorld.PROVISIONER);
        assertThat(world.step()).isInstanceOf(DirectoryClaimStep.CreateMarker.class);
    }

    @Test
    void theOwnerOfTheClaimOverridesTheDefaultOfTheClass() {
        world.annotate("storage.asset/owner-uid", "1234");
        assertThat(world.planned().owner().toString()).isEqualTo("1234:1000");
        world.parameters.put("ownerUidRange", "0-10");
        world.parameters.put("defaultOwnerAssetUid", "1");
        world.annotate("storage.asset/owner-uid", "0");
        assertThat(world.planned().owner().toString()).isEqualTo("0:1000");
    }

    @Test
    void aClaimThatChangesBeforeItsVolumeIsCreatedReplacesItsMarker() {
        Marker before = world.marked();
        world.annotate("storage.asset/owner-uid", "1234");
        world.state = DirectoryClaimState.INITIAL.with(before, Progress.OWNED);
        assertThat(world.step()).isInstanceOf(DirectoryClaimStep.ReplaceMarker.class);
    }

    /** §2.2.1: a-b/c and a/b-c have the same name, and once one tenant got the other's data. */
    @Test
    void theDirectoryOfAnotherClaimIsNeverUsed() {
        world.annotate("storage-asset.pv.provisioner/reuse-existing", "true");
        for (Marker.State state : Marker.State.values()) {
            world.sameNameMarker = other("team-photos", "vol", "ns-2", state);
            assertThat(world.reported().message()).contains("same directory name");
        }
    }

    @Test
    void aRetainedDirectoryIsReusedOnlyInTheSameNamespaceAndOnlyOnRequest() {
        world.sameNameMarker = other("team", "photos", "ns-1", Marker.State.RETAINED);
        assertThat(world.reported().message()).contains("reuse-existing");
        world.annotate("storage-asset.pv.provisioner/reuse-existing", "yes");
        assertThat(world.step()).isInstanceOf(DirectoryClaimStep.ReplaceMarker.class);
        world.sameNameMarker = other("team", "photos", "another-ns", Marker.State.RETAINED);
        assertThat(world.step()).isInstanceOf(DirectoryClaimStep.ReportProblem.class);
        world.sameNameMarker = other("team", "photos", "ns-1", Marker.State.DELETING);
        assertThat(world.reported().message()).contains("still being deleted");
    }

    /** Objects restored from a backup have new uids; without them, a directory in use would have a volume. */
    @Test
    void aRestoredClaimFindsItsDirectoryInItsNamespaceAndCluster() {
        world.sameNameMarker = other("team", "photos", "ns-1", Marker.State.IN_USE);
        assertThat(world.step()).isInstanceOf(DirectoryClaimStep.ReplaceMarker.class);
        world.sameNameMarker = other("team", "photos", "another-ns", Marker.State.IN_USE);
        assertThat(world.reported().message()).contains("directory adopt team-photos-vol");
        world.sameNameMarker = other("team", "photos", "ns-1", Marker.State.IN_USE);
        world.clusterId = "another-cluster";
        assertThat(world.reported().message()).contains("another cluster").contains("directory adopt team-photos-vol");
    }

    @Test
    void withoutABudgetALargeClaimBlocksNoOther() {
        world.requestedByOthers = Long.MAX_VALUE;
        assertThat(world.step()).isInstanceOf(DirectoryClaimStep.CreateMarker.class);
    }

    @Test
    void aDiskThatHangsIsReportedOnceAndTheClaimWaits() {
        world.hanging = Optional.of("The disk of root /srv/volumes does not answer");
        assertThat(world.reported().message()).contains("not created yet").contains("does not answer");
        world.state = DirectoryClaimState.INITIAL.withReported(world.reported().message());
        assertThat(world.step()).isInstanceOf(DirectoryClaimStep.CreateMarker.class);
    }

    @Test
    void anUnavailableRootWhoseOpeningHangsIsReportedOnce() {
        String hanging = "The disk of root /srv/volumes does not answer";
        world.hanging = Optional.of(hanging);
        String reportedHanging = world.reported().message();
        world.root = new RootState.Unavailable("Not mounted.");
        String reportedUnavailable = world.reported().message();
        assertThat(reportedUnavailable).contains("Not mounted").doesNotContain(hanging);
        for (String reported : List.of(reportedUnavailable, reportedHanging)) {
            world.state = DirectoryClaimState.INITIAL.withReported(reported);
            assertThat(world.step()).as(reported).isInstanceOf(DirectoryClaimStep.AwaitRoot.class);
        }
        world.hanging = Optional.empty();
        assertThat(world.reported().message()).as("the disk answers").isEqualTo(reportedUnavailable);
    }

    @Test
    void aRejectedClaimReleasesWhatWasCreatedForIt() {
        Marker marker = world.marked();
        world.claim.getSpec().setVolumeMode("Block");
        Problem problem = world.reported();
        world.state = DirectoryClaimState.INITIAL.withReported(problem.message());
        assertRemoved(marker, problem.result());
        world.ownMarker = Optional.empty();
        assertThat(world.decide()).isEqualTo(Decision.finish(problem.result()));
    }

    @Test
    void aReusedDirectoryIsCountedOnce() {
        world.annotate("storage-asset.pv.provisioner/reuse-existing", "true");
        world.parameters.put("rootBudget", "1Gi");
        world.requestedByOthers = 1L << 30;
        world.sameNameMarker = other("team", "photos", "ns-1", Marker.State.RETAINED);
        assertThat(world.step()).isInstanceOf(DirectoryClaimStep.ReplaceMarker.class);
    }

    @Test
    void aMarkerThatCannotBeReadIsReported() {
        world.sameNameMarker = Optional.of(new MarkerFile.Invalid(new DirectoryName("team-photos-vol"), "version 2"));
        assertThat(world.reported().message()).contains("version 2");
    }

    @Test
    void aClaimThatExceedsTheBudgetIsReportedAndWaitsForRoom() {
        world.parameters.put("rootBudget", "3Gi");
        world.requestedByOthers = 2L << 30;
        assertThat(world.step()).isInstanceOf(DirectoryClaimStep.CreateMarker.class);
        world.requestedByOthers++;
        assertThat(world.reported().message()).contains("already requested");
        assertThat(world.reported().recovery()).isEqualTo(Recovery.UNWATCHED_CHANGE);
        world.state = DirectoryClaimState.INITIAL.withReported(world.reported().message());
        assertThat(world.step()).isInstanceOf(DirectoryClaimStep.AwaitRoom.class);
    }

    @Test
    void anUnavailableRootIsReportedOnceAndThenAwaited() {
        world.root = new RootState.NotOpened();
        assertThat(world.step()).isInstanceOf(DirectoryClaimStep.AwaitRoot.class);
        world.root = new RootState.Unavailable("Not mounted");
        assertThat(world.reported().message()).contains("Not mounted");
        world.state = DirectoryClaimState.INITIAL.withReported(world.reported().message());
        assertThat(world.step()).isInstanceOf(DirectoryClaimStep.AwaitRoot.class);
    }

    @Test
    void theMarkerOfADeletedClaimIsRemoved() {
        Marker marker = world.planned();
        world.claimDeleted = true;
        assertThat(world.decide()).isEqualTo(Decision.done());
        world.ownMarker = Optional.of(marker);
        assertRemoved(marker, Result.done());
        world.ownMarker = Optional.of(marker.retained());
        assertThat(world.decide()).isEqualTo(Decision.done());
        world.ownMarker = Optional.of(marker);
        world.volumes = List.of(volume("team-photos-vol"));
        assertThat(world.decide()).isEqualTo(Decision.done());
    }

    /** Ordinary deletions leave only the marker, which is removed without a read. */
    @Test
    void aDeletionIsCompletedOnceItIsConfirmedThatNothingUsesTheDirectory() {
        Marker marker = world.planned().deleting("");
        world.claimDeleted = true;
        world.ownMarker = Optional.of(marker);
        DirectoryClaimStep.CompleteDeletion unconfirmed =
                new DirectoryClaimStep.CompleteDeletion(new MarkerLocation(ClaimWorld.ROOT, marker), false);
        assertThat(world.step()).isEqualTo(unconfirmed);
        world.state = world.state.with(marker, Progress.TO_CONFIRM);
        assertThat(world.step())
                .isEqualTo(new DirectoryClaimStep.ConfirmUnused(new ObjectKey("team", "photos", "uid-1"), marker));
        world.state = world.state.with(marker, Progress.UNUSED);
        assertThat(world.step()).isEqualTo(new DirectoryClaimStep.CompleteDeletion(unconfirmed.location(), true));
        world.state = world.state.with(world.planned(), Progress.UNUSED);
        assertThat(world.step()).as("another marker was confirmed").isEqualTo(unconfirmed);
    }

    /** A root that was rolled back to a snapshot contains the marker of an earlier claim, beside the live directory. */
    @Test
    void nothingIsRemovedWhileAVolumeOfTheMarkersNameExists() {
        Marker marker = world.marked();
        world.claimDeleted = true;
        world.ownMarkerVolume = Optional.of(volume("team-photos-vol"));
        assertThat(world.decide()).isEqualTo(Decision.done());
        world.ownMarker = Optional.of(marker.deleting(""));
        assertThat(world.decide()).isEqualTo(Decision.done());
    }

    @Test
    void markersOfAnotherClusterProvisionerOrNodeAreLeftUnchanged() {
        Marker marker = world.planned();
        world.claimDeleted = true;
        world.ownMarker = Optional.of(marker);
        world.clusterId = "another-cluster";
        assertThat(world.decide()).isEqualTo(Decision.done());
        world.clusterId = "cluster-1";
        world.settings = new DirectorySettings(Set.of(), "example.com/other", ClaimWorld.ROOT, Map.of(), "", "");
        assertThat(world.decide()).isEqualTo(Decision.done());
        world.settings = ClaimWorld.settings("", "a-node");
        assertThat(world.decide()).isEqualTo(Decision.done());
    }

    @Test
    void aBoundClaimWithoutItsVolumeKeepsItsDirectory() {
        world.ownMarker = Optional.of(world.planned());
        world.claim.getSpec().setVolumeName("team-photos-vol");
        assertThat(world.decide()).isEqualTo(Decision.done());
        world.claim.getSpec().setVolumeName("another");
        assertRemoved(world.planned(), Result.done());
    }

    @Test
    void aLocalClaimWithoutAProcessOnItsNodeIsReportedAfterAWhile() {
        world.nodeLocal = true;
        assertThat(world.decide()).isEqualTo(Decision.done());
        world.annotate("volume.kubernetes.io/selected-node", "worker-7");
        assertThat(world.step()).isInstanceOf(DirectoryClaimStep.AwaitNodeProcess.class);
        world.state = world.state.started(1);
        world.nanos = Duration.ofSeconds(10).toNanos() + 1;
        assertThat(world.decide()).isEqualTo(Decision.finish(Result.requeueAfter(Duration.ofSeconds(50))));
        world.nanos = Duration.ofSeconds(60).toNanos() + 1;
        assertThat(world.reported().message()).contains("worker-7", "--node-name");
        world.annotate(GA, "example.com/other");
        assertThat(world.decide()).isEqualTo(Decision.done());
    }

    /** §2.2.7 */
    @Test
    void aNameThatIsTooLongIsReplacedByTheUid() {
        world.claim.getMetadata().setName("p".repeat(253));
        assertThat(world.planned().name()).isEqualTo(new DirectoryName("pvc-uid-1"));
        ClaimWorld byUid = new ClaimWorld();
        byUid.parameters.put("naming", "uid");
        assertThat(byUid.planned().name()).isEqualTo(new DirectoryName("pvc-uid-1"));
    }

    /** The marker of claim team/earlier with uid-0. */
    static Marker markerOfAnotherClaim(Marker marker, String name) {
        ClaimIdentity earlier = new ClaimIdentity("team", "earlier", "uid-0", "ns-1");
        return SampleMarkers.inState(marker.retainedFor(new DirectoryName(name), earlier), Marker.State.IN_USE);
    }

    private static Optional<MarkerFile> other(String namespace, String name, String namespaceUid, Marker.State state) {
        Marker marker = new ClaimWorld().planned();
        ClaimIdentity claim = new ClaimIdentity(namespace, name, "uid-0", namespaceUid);
        return Optional.of(
                new MarkerFile.Valid(SampleMarkers.inState(marker.retainedFor(marker.name(), claim), state)));
    }

    private void assertRemoved(Marker marker, Result ifNotEmpty) {
        assertThat(world.step())
                .isEqualTo(
                        new DirectoryClaimStep.RemoveUnused(new MarkerLocation(ClaimWorld.ROOT, marker), ifNotEmpty));
    }
}
