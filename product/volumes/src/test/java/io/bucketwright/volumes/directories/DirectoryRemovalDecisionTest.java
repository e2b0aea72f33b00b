package io.bucketwright.volumes.directories;

import static org.assertj.core.api.Assertions.assertThat;

import io.bucketwright.runtime.controller.Decision;
import io.bucketwright.runtime.controller.Result;
import io.bucketwright.volumes.directories.DirectoryRemovalState.Fact;
import io.bucketwright.volumes.directories.classes.DirectorySettings;
import io.bucketwright.volumes.directories.files.DirectoryName;
import io.bucketwright.volumes.directories.files.Marker;
import io.bucketwright.volumes.directories.files.MarkerFile;
import io.bucketwright.volumes.directories.files.RootIdentity;
import io.bucketwright.volumes.directories.files.SampleMarkers;
import io.fabric8.kubernetes.api.model.PersistentVolume;
import io.fabric8.kubernetes.client.utils.Serialization;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
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
import org.junit.jupiter.params.provider.ValueSource;

class DirectoryRemovalDecisionTest {

    private static final Path ROOT = Path.of("/srv/volumes");
    private static final String PROVISIONER = "example.com/directory";

    /** An observation that each test changes. */
    static final class World {
        final PersistentVolume volume = Serialization.unmarshal("""
                metadata:
                  name: team-photos-vol
                  uid: pv-1
                  finalizers: [kubernetes.io/pv-protection, external-provisioner.volume.kubernetes.io/finalizer]
                  annotations:
                    pv.kubernetes.io/provisioned-by: example.com/directory
                    bucketwright.io/directory-root: root-1
                    bucketwright.io/directory-claim-uid: uid-1
                spec:
                  storageClassName: shared
                  persistentVolumeReclaimPolicy: Delete
                  hostPath: {path: /srv/volumes/team-photos-vol}
                  claimRef: {namespace: team, name: photos, uid: uid-1}
                status: {phase: Released}
                """, PersistentVolume.class);
        DirectorySettings settings = settings(Set.of(), "");
        String clusterId = "cluster-1";
        RootState root = open("root-1");
        Optional<MarkerFile> marker = Optional.of(new MarkerFile.Valid(inUse()));
        boolean claimExists;
        boolean markerClaimWaits;
        Optional<String> hanging = Optional.empty();
        DirectoryRemovalState state = DirectoryRemovalState.INITIAL;

        /** As Kubernetes leaves it: its own finalizer is removed within moments. */
        World deleted() {
            volume.getMetadata().setDeletionTimestamp("2026-01-01T00:00:00Z");
            volume.getMetadata().getFinalizers().remove("kubernetes.io/pv-protection");
            return this;
        }

        World phase(String phase) {
            volume.getStatus().setPhase(phase);
            return this;
        }

        World policy(String policy) {
            volume.getSpec().setPersistentVolumeReclaimPolicy(policy);
            return this;
        }

        World annotate(String key, String value) {
            volume.getMetadata().getAnnotations().put(key, value);
            return this;
        }

        World removeAnnotation(String key) {
            volume.getMetadata().getAnnotations().remove(key);
            return this;
        }

        World marker(Marker other) {
            marker = Optional.of(new MarkerFile.Valid(other));
            return this;
        }

        Decision<DirectoryRemovalStep> decide() {
            return DirectoryRemovalDecision.decide(
                    settings,
                    new DirectoryRemovalObservation(
                            Optional.of(volume),
                            claimExists,
                            markerClaimWaits,
                            clusterId,
                            Optional.of(new RootObservation(root, hanging)),
                            marker,
                            state,
                            Instant.parse("2026-02-03T04:05:06Z")));
        }
    }

    private final World world = new World();

    private static RootState open(String id) {
        return new RootState.Open(new RootIdentity(id, "cluster-1"));
    }

    private static DirectorySettings settings(Set<String> classes, String namespace) {
        return new DirectorySettings(classes, PROVISIONER, ROOT, Map.of(), namespace, "");
    }

    private static Marker inUse() {
        return SampleMarkers.marker("team-photos-vol", "uid-1", "root-1");
    }

    private static Arguments row(String what, Consumer<World> change) {
        return Arguments.of(what, change);
    }

    static Stream<Arguments> volumesThatAreLeftUnchanged() {
        return Stream.of(
                row("bound", world -> world.phase("Bound")),
                row("bound and to be deleted", world -> world.phase("Bound").deleted()),
                row("available", world -> world.phase("Available")),
                row("pending", world -> world.phase("Pending")),
                row("released and retained", world -> world.policy("Retain")),
                row("released, but its claim is still in the cache", world -> world.claimExists = true),
                row("of another provisioner", world -> world.annotate(DirectoryAnnotations.PROVISIONED_BY, "x/y")),
                row("without a provisioner", world -> world.removeAnnotation(DirectoryAnnotations.PROVISIONED_BY)),
                row(
                        "created by another implementation with the same provisioner name",
                        world -> world.removeAnnotation(DirectoryAnnotations.ROOT)),
                row("on another node's disk", world -> world.annotate(DirectoryAnnotations.NODE, "there")),
                row("of another class", world -> world.settings = settings(Set.of("other"), "")),
                row("of a namespace that is not served", world -> world.settings = settings(Set.of(), "other")),
                row("being deleted, without our finalizer", world -> {
                    world.deleted();
                    world.volume.getMetadata().getFinalizers().remove(DirectoryAnnotations.FINALIZER);
                }));
    }

    @ParameterizedTest(name = "{0}")
    @MethodSource
    void volumesThatAreLeftUnchanged(String what, Consumer<World> change) {
        change.accept(world);
        assertThat(world.decide()).isEqualTo(Decision.done());
    }

    /** §2.2.5 (a volume without a hostPath), §2.2.2, CVE-2026-3864: whoever can write a volume could have any directory removed. */
    static Stream<Arguments> mismatchesAreReported() {
        return Stream.of(
                row("path is not the path", world -> path(world, "/srv/volumes/victim")),
                row("path is not the path", world -> path(world, "/")),
                row("path is not the path", world -> path(world, "")),
                row("path is not the path", world -> path(world, "/srv/volumes/team-photos-vol/..")),
                row("path is not the path", world -> path(world, "/srv/volumes/../volumes/team-photos-vol")),
                row("path is not the path", world -> world.volume.getSpec().setHostPath(null)),
                row("another claim", world -> world.annotate(DirectoryAnnotations.CLAIM_UID, "uid-2")),
                row("another root", world -> world.root = open("root-2")),
                row("another root", world -> world.annotate(DirectoryAnnotations.ROOT, "root-2")),
                row("another class", world -> world.volume.getSpec().setStorageClassName("other")),
                row("another cluster", world -> world.clusterId = "cluster-2"));
    }

    private static void path(World world, String path) {
        world.volume.getSpec().getHostPath().setPath(path);
    }

    @ParameterizedTest(name = "{0}")
    @MethodSource
    void mismatchesAreReported(String problem, Consumer<World> change) {
        change.accept(world);
        assertThat(reported()).contains(problem);
        world.deleted();
        assertThat(reported()).contains(problem);
    }

    /** No watch reports that a marker changed, for example because a new claim took over the directory. */
    @ParameterizedTest(name = "{0}")
    @MethodSource("mismatchesAreReported")
    void mismatchesAreRetried(String problem, Consumer<World> change) {
        change.accept(world);
        DirectoryRemovalStep.ReportProblem report = (DirectoryRemovalStep.ReportProblem) step();
        assertThat(report.problem().message()).contains(problem);
        assertThat(report.problem().isRetried()).isTrue();
    }

    @Test
    void aMarkerWhoseNameDoesNotMatchItsClaimIsRejected() {
        world.marker(SampleMarkers.marker("team-other-vol", "uid-1", "root-1"));
        assertThat(step()).isInstanceOf(DirectoryRemovalStep.ReportProblem.class);
    }

    /** The API server deletes only the version that was observed: a cache that lags removes nothing. */
    @Test
    void theOrderIsVolumeMarkerDirectoryFinalizerMarker() {
        assertThat(step()).isInstanceOf(DirectoryRemovalStep.CheckDirectory.class);
        world.state = DirectoryRemovalState.INITIAL.with(Fact.PRESENT);
        assertThat(step()).isInstanceOf(DirectoryRemovalStep.DeleteVolume.class);
        world.deleted();
        DirectoryRemovalStep.MarkDeleting first = (DirectoryRemovalStep.MarkDeleting) step();
        assertThat(first.after()).isEqualTo(inUse().deleting(""));
        world.marker(first.after());
        assertThat(step()).isInstanceOf(DirectoryRemovalStep.RemoveDirectory.class);
        world.state = DirectoryRemovalState.INITIAL.with(Fact.REMOVED);
        assertThat(step()).isInstanceOf(DirectoryRemovalStep.RemoveFinalizer.class);
        world.volume.getMetadata().getFinalizers().remove(DirectoryAnnotations.FINALIZER);
        assertThat(step()).isInstanceOf(DirectoryRemovalStep.RemoveMarker.class);
    }

    @Test
    void ourFinalizerIsRemovedAfterThatOfKubernetesSoThatTheWritesDoNotConflict() {
        world.deleted().marker(inUse().deleting(""));
        world.state = DirectoryRemovalState.INITIAL.with(Fact.REMOVED);
        world.volume.getMetadata().getFinalizers().add("kubernetes.io/pv-protection");
        assertThat(world.decide()).isEqualTo(Decision.done());
        world.volume.getMetadata().getFinalizers().remove("kubernetes.io/pv-protection");
        assertThat(step()).isInstanceOf(DirectoryRemovalStep.RemoveFinalizer.class);
    }

    @Test
    void withoutOurFinalizerTheVolumeIsDeletedLast() {
        world.volume.getMetadata().getFinalizers().remove(DirectoryAnnotations.FINALIZER);
        DirectoryRemovalStep.MarkDeleting first = (DirectoryRemovalStep.MarkDeleting) step();
        world.marker(first.after());
        assertThat(step()).isInstanceOf(DirectoryRemovalStep.RemoveDirectory.class);
        world.state = DirectoryRemovalState.INITIAL.with(Fact.REMOVED);
        assertThat(step()).isInstanceOf(DirectoryRemovalStep.DeleteVolume.class);
    }

    @Test
    void theNameOfAnArchiveContainsTimeAndClaim() {
        world.deleted().marker(SampleMarkers.archiving(inUse()).retained());
        DirectoryRemovalStep.MarkDeleting step = (DirectoryRemovalStep.MarkDeleting) step();
        assertThat(step.after().archive()).isEqualTo("team-photos-vol.20260203T040506Z.uid-1");
    }

    @ParameterizedTest
    @ValueSource(strings = {"Released", "Available", "Failed"})
    void deletingARetainedVolumeMarksItsDirectoryAsRetained(String phase) {
        world.phase(phase).policy("Retain").deleted();
        assertThat(step()).isInstanceOf(DirectoryRemovalStep.MarkRetained.class);
        world.marker(inUse().retained());
        assertThat(step()).isInstanceOf(DirectoryRemovalStep.RemoveFinalizer.class);
    }

    @Test
    void onlyTheDirectoryOfAReleasedVolumeIsRemoved() {
        world.phase("Available").deleted();
        assertThat(step()).isInstanceOf(DirectoryRemovalStep.MarkRetained.class);
    }

    /** §3.4, local-static#6: an unmounted disk must not look like an empty one. */
    @Test
    void aMissingMarkerIsReportedUntilAnAdministratorDeletesTheVolume() {
        world.marker = Optional.empty();
        assertThat(step()).isInstanceOf(DirectoryRemovalStep.ReportProblem.class);
        world.deleted();
        assertThat(step()).isInstanceOf(DirectoryRemovalStep.CheckMissing.class);
        world.state = DirectoryRemovalState.INITIAL.with(Fact.MISSING);
        assertThat(step()).isInstanceOf(DirectoryRemovalStep.RemoveFinalizer.class);
        world.root = open("root-2");
        assertThat(step()).isInstanceOf(DirectoryRemovalStep.ReportProblem.class);
        world.root = new RootState.Unavailable("Not mounted");
        assertThat(step()).isInstanceOf(DirectoryRemovalStep.ReportProblem.class);
    }

    /** The request that created the volume was late; a new claim of that name has taken over the directory meanwhile. */
    @Test
    void aVolumeOfAnEarlierClaimIsDeletedWithoutTheDirectoryThatANewClaimTookOver() {
        world.marker(SampleMarkers.marker("team-photos-vol", "uid-2", "root-1"));
        assertThat(reported()).contains("another claim");
        world.markerClaimWaits = true;
        DirectoryRemovalStep.ReportAbandoned report = (DirectoryRemovalStep.ReportAbandoned) step();
        assertThat(report.message()).contains("team/photos (uid-2) took it over");
        world.state = world.state.withReported(report.message());
        assertThat(step()).isInstanceOf(DirectoryRemovalStep.RemoveFinalizer.class);
        world.volume.getMetadata().getFinalizers().remove(DirectoryAnnotations.FINALIZER);
        assertThat(step()).isInstanceOf(DirectoryRemovalStep.DeleteVolume.class);
    }

    static Stream<Arguments> volumesThatNoNewClaimReplaces() {
        return Stream.of(
                row(
                        "the claim of another name",
                        world -> world.volume.getSpec().getClaimRef().setName("other")),
                row(
                        "the claim of another namespace",
                        world -> world.volume.getSpec().getClaimRef().setNamespace("other")),
                row("no claim", world -> world.volume.getSpec().setClaimRef(null)),
                row("another root", world -> world.annotate(DirectoryAnnotations.ROOT, "root-2")),
                row("another path", world -> path(world, "/srv/volumes/victim")),
                row(
                        "a retained directory",
                        world -> world.marker(SampleMarkers.marker("team-photos-vol", "uid-2", "root-1")
                                .retained())));
    }

    @ParameterizedTest(name = "{0}")
    @MethodSource
    void volumesThatNoNewClaimReplaces(String what, Consumer<World> change) {
        world.marker(SampleMarkers.marker("team-photos-vol", "uid-2", "root-1"));
        world.markerClaimWaits = true;
        change.accept(world);
        assertThat(reported()).contains("is not removed");
    }

    @Test
    void aDiskThatHangsIsReportedOnceAndTheRemovalWaits() {
        world.hanging = Optional.of("The disk of root /srv/volumes does not answer");
        assertThat(reported()).contains("not removed yet").contains("does not answer");
        world.state = world.state.withReported(reported());
        assertThat(step()).isInstanceOf(DirectoryRemovalStep.CheckDirectory.class);
    }

    @Test
    void anUnavailableRootWhoseOpeningHangsIsReportedOnce() {
        String hanging = "The disk of root /srv/volumes does not answer";
        world.hanging = Optional.of(hanging);
        String reportedHanging = reported();
        world.root = new RootState.Unavailable("Not mounted.");
        String reportedUnavailable = reported();
        assertThat(reportedUnavailable).contains("Not mounted").doesNotContain(hanging);
        for (String reported : List.of(reportedUnavailable, reportedHanging)) {
            world.state = world.state.withReported(reported);
            assertThat(step()).as(reported).isInstanceOf(DirectoryRemovalStep.AwaitRoot.class);
        }
        world.hanging = Optional.empty();
        assertThat(reported()).as("the disk answers").isEqualTo(reportedUnavailable);
    }

    /** A volume whose disk is lost, by the word of an administrator. */
    @Test
    void anAbandonedVolumeIsDeletedWithoutItsDirectory() {
        world.annotate("bucketwright.io/directory-abandoned", "true");
        world.root = new RootState.Unavailable("Not mounted");
        world.marker = Optional.empty();
        DirectoryRemovalStep.ReportAbandoned report = (DirectoryRemovalStep.ReportAbandoned) step();
        assertThat(report.message()).contains("gave it up");
        world.state = world.state.withReported(report.message());
        assertThat(step()).isInstanceOf(DirectoryRemovalStep.RemoveFinalizer.class);
        world.phase("Bound");
        assertThat(world.decide()).isEqualTo(Decision.done());
        world.phase("Released").policy("Retain");
        assertThat(world.decide()).isEqualTo(Decision.done());
        world.deleted();
        assertThat(step()).isInstanceOf(DirectoryRemovalStep.RemoveFinalizer.class);
    }

    /** The process of a node that no longer exists removes nothing, so that another one ends the deletion. */
    @Test
    void theVolumeOfANodeThatNoLongerExistsIsDeletedByAnotherNodesProcess() {
        world.settings = new DirectorySettings(Set.of(), PROVISIONER, ROOT, Map.of(), "", "here");
        world.annotate("bucketwright.io/directory-node", "there");
        world.volume.getStatus().setLastPhaseTransitionTime("2026-02-03T04:04:06Z");
        assertThat(world.decide()).isEqualTo(Decision.finish(Result.requeueAfter(Duration.ofMinutes(1))));
        world.volume.getStatus().setLastPhaseTransitionTime("2026-02-03T04:00:00Z");
        assertThat(step()).isEqualTo(new DirectoryRemovalStep.CheckNode(world.volume, "there"));
        world.state = world.state.with(Fact.NODE_MISSING);
        DirectoryRemovalStep.ReportAbandoned report = (DirectoryRemovalStep.ReportAbandoned) step();
        assertThat(report.message()).contains("\"there\" no longer exists");
        world.state = world.state.withReported(report.message());
        assertThat(step()).isInstanceOf(DirectoryRemovalStep.RemoveFinalizer.class);
        world.phase("Bound");
        assertThat(world.decide()).isEqualTo(Decision.done());
    }

    @Test
    void aVolumeWithoutPhaseIsLeftUnchanged() {
        world.volume.getStatus().setPhase(null);
        assertThat(DirectoryVolumes.phase(world.volume)).isEmpty();
        assertThat(world.deleted().decide()).isEqualTo(Decision.done());
    }

    @Test
    void aMarkerThatCannotBeReadIsReported() {
        world.deleted();
        world.marker = Optional.of(new MarkerFile.Invalid(new DirectoryName("team-photos-vol"), "version 2"));
        assertThat(reported()).contains("version 2");
    }

    /** §2.2.8 */
    @Test
    void reclaimPolicyRecycleIsReported() {
        world.policy("Recycle");
        assertThat(reported()).contains("Recycle");
    }

    private String reported() {
        assertThat(step()).isInstanceOf(DirectoryRemovalStep.ReportProblem.class);
        return ((DirectoryRemovalStep.ReportProblem) step()).problem().message();
    }

    private DirectoryRemovalStep step() {
        assertThat(world.decide()).isInstanceOf(Decision.Act.class);
        return ((Decision.Act<DirectoryRemovalStep>) world.decide()).step();
    }
}
