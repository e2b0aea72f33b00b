package io.bucketwright.volumes.directories.released;

import static org.assertj.core.api.Assertions.assertThat;

import io.bucketwright.runtime.ObjectKey;
import io.bucketwright.runtime.controller.Decision;
import io.bucketwright.volumes.directories.files.AssetName;
import io.bucketwright.volumes.directories.files.DirectoryTree.Found;
import io.bucketwright.volumes.directories.files.Marker;
import io.bucketwright.volumes.directories.files.PosixRoot;
import io.bucketwright.volumes.directories.files.RootIdentity;
import io.bucketwright.volumes.directories.files.Samples;
import io.bucketwright.volumes.directories.roots.RootState;
import io.bucketwright.volumes.directories.setup.Settings;
import io.bucketwright.volumes.directories.setup.Words;
import io.fabric8.kubernetes.api.model.PersistentVolumeBuilder;
import java.nio.file.Path;
import java.time.Instant;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Consumer;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

class VolumeDecisionTest {

    private static final Path ROOT = Path.of("/srv/volumes");
    private static final String PROVISIONER = "example.com/directory";

    /** What one row of a table can change. */
    static final class World {
        PersistentVolumeBuilder volume = new PersistentVolumeBuilder()
                .withNewMetadata()
                .withName("team-photos-vol")
                .withUid("pv-1")
                .withFinalizers("kubernetes.io/pv-protection", Words.FINALIZER)
                .addToAnnotations(Words.PROVISIONED_BY, PROVISIONER)
                .addToAnnotations(Words.ROOT, "root-1")
                .addToAnnotations(Words.CLAIM_UID, "uid-1")
                .endMetadata()
                .withNewSpec()
                .withStorageClassName("shared")
                .withPersistentVolumeReclaimPolicy("Delete")
                .withNewHostPath()
                .withPath("/srv/volumes/team-photos-vol")
                .endHostPath()
                .endSpec()
                .withNewStatus()
                .withPhase("Released")
                .endStatus();
        Settings settings = new Settings(Set.of(), PROVISIONER, ROOT, Map.of(), "", "", () -> "cluster-1");
        RootState root = open("root-1");
        Optional<Found> marker = Optional.of(new Found.Known(Samples.marker("team-photos-vol", "uid-1", "root-1")));
        boolean claimLives;
        Observed.Progress progress = new Observed.Progress(false, false, "", 0);

        World leaving() {
            volume.editMetadata().withDeletionTimestamp("2026-01-01T00:00:00Z").endMetadata();
            return this;
        }

        World phase(String phase) {
            volume.editStatus().withPhase(phase).endStatus();
            return this;
        }

        World policy(String policy) {
            volume.editSpec().withPersistentVolumeReclaimPolicy(policy).endSpec();
            return this;
        }

        World marker(Marker other) {
            marker = Optional.of(new Found.Known(other));
            return this;
        }

        Decision<Step> decide() {
            return new VolumeDecision(settings)
                    .decide(new Observed(
                            new ObjectKey("", "team-photos-vol", "pv-1"),
                            Optional.of(volume.build()),
                            claimLives,
                            Optional.of(ROOT),
                            root,
                            marker,
                            progress,
                            Instant.parse("2026-02-03T04:05:06Z")));
        }
    }

    private static RootState open(String id) {
        RootIdentity identity = new RootIdentity(id, "cluster-1");
        return new RootState.Open(identity, new PosixRoot(ROOT).tree(identity));
    }

    private static Marker held() {
        return Samples.marker("team-photos-vol", "uid-1", "root-1");
    }

    private static Arguments row(String what, Consumer<World> change) {
        return Arguments.of(what, change);
    }

    static Stream<Arguments> volumesThatStayAsTheyAre() {
        return Stream.of(
                row("bound", world -> world.phase("Bound")),
                row("bound and to be deleted", world -> world.phase("Bound").leaving()),
                row("available", world -> world.phase("Available")),
                row("pending", world -> world.phase("Pending")),
                row("released and retained", world -> world.policy("Retain")),
                row("released, but its claim is still seen", world -> world.claimLives = true),
                row(
                        "of another provisioner",
                        world -> world.volume
                                .editMetadata()
                                .addToAnnotations(Words.PROVISIONED_BY, "x/y")
                                .endMetadata()),
                row(
                        "of nobody",
                        world -> world.volume
                                .editMetadata()
                                .removeFromAnnotations(Words.PROVISIONED_BY)
                                .endMetadata()),
                row(
                        "made by a predecessor under our name",
                        world -> world.volume
                                .editMetadata()
                                .removeFromAnnotations(Words.ROOT)
                                .endMetadata()),
                row(
                        "on another node's disk",
                        world -> world.volume
                                .editMetadata()
                                .addToAnnotations(Words.NODE, "there")
                                .endMetadata()),
                row(
                        "of another class",
                        world -> world.settings =
                                new Settings(Set.of("other"), PROVISIONER, ROOT, Map.of(), "", "", () -> "cluster-1")),
                row(
                        "of another namespace than the one served",
                        world -> world.settings =
                                new Settings(Set.of(), PROVISIONER, ROOT, Map.of(), "other", "", () -> "cluster-1")),
                row("going, and let go already", world -> {
                    world.leaving();
                    world.volume
                            .editMetadata()
                            .removeFromFinalizers(Words.FINALIZER)
                            .endMetadata();
                }));
    }

    @ParameterizedTest(name = "{0}")
    @MethodSource
    void volumesThatStayAsTheyAre(String what, Consumer<World> change) {
        World world = new World();
        change.accept(world);
        assertThat(world.decide()).isEqualTo(Decision.done());
    }

    /** §2.2.5 (a volume without a hostPath), §2.2.2, CVE-2026-3864: whoever can write a volume could once have any directory removed. */
    static Stream<Arguments> proofsWithAFlaw() {
        return Stream.of(
                row("points elsewhere", world -> path(world, "/srv/volumes/victim")),
                row("points elsewhere", world -> path(world, "/")),
                row("points elsewhere", world -> path(world, "")),
                row("points elsewhere", world -> path(world, "/srv/volumes/team-photos-vol/..")),
                row("points elsewhere", world -> path(world, "/srv/volumes/../volumes/team-photos-vol")),
                row(
                        "points elsewhere",
                        world -> world.volume.editSpec().withHostPath(null).endSpec()),
                row(
                        "another claim",
                        world -> world.volume
                                .editMetadata()
                                .addToAnnotations(Words.CLAIM_UID, "uid-2")
                                .endMetadata()),
                row("another root", world -> world.root = open("root-2")),
                row(
                        "another root",
                        world -> world.volume
                                .editMetadata()
                                .addToAnnotations(Words.ROOT, "root-2")
                                .endMetadata()),
                row(
                        "another class",
                        world -> world.volume
                                .editSpec()
                                .withStorageClassName("other")
                                .endSpec()),
                row(
                        "another cluster",
                        world -> world.settings =
                                new Settings(Set.of(), PROVISIONER, ROOT, Map.of(), "", "", () -> "cluster-2")));
    }

    private static void path(World world, String path) {
        world.volume.editSpec().editHostPath().withPath(path).endHostPath().endSpec();
    }

    @ParameterizedTest(name = "{0}")
    @MethodSource
    void proofsWithAFlaw(String word, Consumer<World> change) {
        World world = new World();
        change.accept(world);
        for (World each : new World[] {world, world.leaving()}) {
            assertThat(act(each.decide()))
                    .isInstanceOfSatisfying(
                            Step.Tell.class, told -> assertThat(told.message()).contains(word));
        }
    }

    @Test
    void aMarkerWhoseNameItsClaimCannotHaveHadProvesNothing() {
        World world = new World();
        world.marker(Samples.marker("team-other-vol", "uid-1", "root-1"));
        assertThat(act(world.decide())).isInstanceOf(Step.Tell.class);
    }

    @Test
    void theOrderIsMarkerDirectoryFinalizerVolumeMarker() {
        World world = new World();
        Step.MarkLeaving first = (Step.MarkLeaving) act(world.decide());
        assertThat(first.after()).isEqualTo(held().leaving(""));
        world.marker(first.after());
        assertThat(act(world.decide())).isInstanceOf(Step.Remove.class);
        world.progress = new Observed.Progress(false, true, "", 0);
        assertThat(act(world.decide())).isInstanceOf(Step.LetGo.class);
        world.volume.editMetadata().removeFromFinalizers(Words.FINALIZER).endMetadata();
        assertThat(act(world.decide())).isInstanceOf(Step.Delete.class);
        world.leaving();
        assertThat(act(world.decide())).isInstanceOf(Step.RemoveMarker.class);
    }

    @Test
    void anArchiveHasATimeAndTheClaimInItsName() {
        World world = new World().marker(Samples.archived(held()).retained());
        Step.MarkLeaving step = (Step.MarkLeaving) act(world.decide());
        assertThat(step.after().archive()).isEqualTo("team-photos-vol.20260203T040506Z.uid-1");
    }

    @Test
    void aRetainedVolumeThatSomebodyDeletesLeavesItsDirectoryBehindMarkedAsRetained() {
        for (String phase : new String[] {"Released", "Available", "Failed"}) {
            World world = new World().phase(phase).policy("Retain").leaving();
            assertThat(act(world.decide())).isInstanceOf(Step.MarkRetained.class);
            world.marker(held().retained());
            assertThat(act(world.decide())).isInstanceOf(Step.LetGo.class);
        }
    }

    @Test
    void onlyAReleasedVolumesDirectoryIsRemovedWhateverThePolicy() {
        World world = new World().phase("Available").leaving();
        assertThat(act(world.decide())).isInstanceOf(Step.MarkRetained.class);
    }

    /** §3.4, local-static#6: an unmounted disk must not look like a cleaned one. */
    @Test
    void aMissingMarkerIsReportedAndOnlyAHumanCanSayThatTheVolumeMayGo() {
        World world = new World();
        world.marker = Optional.empty();
        assertThat(act(world.decide())).isInstanceOf(Step.Tell.class);
        world.leaving();
        assertThat(act(world.decide())).isInstanceOf(Step.LookForNothing.class);
        world.progress = new Observed.Progress(true, false, "", 0);
        assertThat(act(world.decide())).isInstanceOf(Step.LetGo.class);
        world.root = open("root-2");
        assertThat(act(world.decide())).isInstanceOf(Step.Tell.class);
        world.root = new RootState.Closed("Not mounted");
        assertThat(act(world.decide())).isInstanceOf(Step.Tell.class);
    }

    @Test
    void aMarkerOfANewerVersionStopsEverything() {
        World world = new World().leaving();
        world.marker = Optional.of(new Found.Unknown(new AssetName("team-photos-vol"), "version 2"));
        assertThat(act(world.decide()))
                .isInstanceOfSatisfying(
                        Step.Tell.class, told -> assertThat(told.message()).contains("version 2"));
    }

    /** §2.2.8 */
    @Test
    void recycleIsNotSupportedAndSaidToBe() {
        assertThat(act(new World().policy("Recycle").decide()))
                .isInstanceOfSatisfying(
                        Step.Tell.class, told -> assertThat(told.message()).contains("Recycle"));
    }

    private static Step act(Decision<Step> decision) {
        assertThat(decision).isInstanceOf(Decision.Act.class);
        return ((Decision.Act<Step>) decision).step();
    }
}
