package io.bucketwright.volumes.directories.roots;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.bucketwright.runtime.ManualLeadership;
import io.bucketwright.runtime.ManualTime;
import io.bucketwright.runtime.ObjectKey;
import io.bucketwright.runtime.testing.InMemoryApiServer;
import io.bucketwright.runtime.testing.InMemoryProcess;
import io.bucketwright.volumes.directories.classes.DirectorySettings;
import io.bucketwright.volumes.directories.files.DirectoryTree;
import io.bucketwright.volumes.directories.files.Marker;
import io.bucketwright.volumes.directories.files.PosixRootDirectory;
import io.bucketwright.volumes.directories.files.SampleMarkers;
import io.bucketwright.volumes.directories.objects.DirectoryCaches;
import io.fabric8.kubernetes.api.model.PersistentVolume;
import io.fabric8.kubernetes.client.utils.Serialization;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Markers are files that nothing watches: what depends on them is reconciled when the root shows that they changed. */
class RootControllerTest {

    private static final Duration INTERVAL = Duration.ofSeconds(30);
    private static final ObjectKey MARKER_CLAIM = new ObjectKey("team", "photos", "uid-1");
    private static final ObjectKey BOUND_CLAIM = new ObjectKey("team", "videos", "uid-2");

    @TempDir
    private Path path;

    private final InMemoryApiServer server = new InMemoryApiServer();
    private final ManualTime time = new ManualTime();
    private final ManualLeadership leadership = new ManualLeadership();
    private final InMemoryProcess process = new InMemoryProcess(server, time, leadership);
    private final Marker marker = SampleMarkers.marker("team-photos-vol", "uid-1", "root-1");
    private final Set<ObjectKey> claims = ConcurrentHashMap.newKeySet();
    private final Set<ObjectKey> volumes = ConcurrentHashMap.newKeySet();

    private DirectoryTree tree;
    private Roots roots;
    private ObjectKey volume;

    @BeforeEach
    void create() throws IOException {
        tree = SampleMarkers.tree(path);
        volume = ObjectKey.of(server.create(Serialization.unmarshal("""
                metadata:
                  name: team-photos-vol
                  annotations:
                    pv.kubernetes.io/provisioned-by: example.com/directory
                    bucketwright.io/directory-root: root-1
                    bucketwright.io/directory-claim-uid: uid-1
                spec:
                  storageClassName: shared
                  claimRef: {namespace: team, name: videos, uid: uid-2}
                status: {phase: Bound}
                """, PersistentVolume.class)));
        roots = new Roots(List.of(path), PosixRootDirectory::new, leadership, time);
        DirectorySettings settings = new DirectorySettings(Set.of(), "example.com/directory", path, Map.of(), "", "");
        DirectoryCaches caches = new DirectoryCaches(process.context().caches(), settings);
        RootController.register(process.context(), settings, roots, caches, claims::add, volumes::add, INTERVAL);
    }

    @AfterEach
    void close() {
        roots.close();
        process.close();
    }

    @Test
    void aRootThatIsOpenedAddsItsVolumesAndTheirClaims() throws IOException {
        assertThat(tree.createMarker(marker)).isTrue();
        process.start();
        awaitAdded(MARKER_CLAIM, BOUND_CLAIM);

        clear();
        leadership.lose();
        leadership.gainAfterAnotherLeader();

        awaitAdded(MARKER_CLAIM, BOUND_CLAIM);
    }

    @Test
    void aMarkerThatIsRestoredAddsTheClaimThatItsVolumeIsBoundTo() throws IOException {
        process.start();
        await().untilAsserted(() -> {
            process.settle();
            assertThat(roots.at(path).state()).isInstanceOf(RootState.Open.class);
        });
        clear();

        assertThat(tree.createMarker(marker)).isTrue();
        time.advance(INTERVAL);

        awaitAdded(MARKER_CLAIM, BOUND_CLAIM);
    }

    private void awaitAdded(ObjectKey... expectedClaims) {
        await().atMost(Duration.ofSeconds(20)).untilAsserted(() -> {
            process.settle();
            assertThat(volumes).containsExactly(volume);
            assertThat(claims).containsExactlyInAnyOrder(expectedClaims);
        });
    }

    private void clear() {
        claims.clear();
        volumes.clear();
    }
}
