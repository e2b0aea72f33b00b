package io.bucketwright.volumes.directories;

import static org.assertj.core.api.Assertions.assertThat;

import io.bucketwright.runtime.ObjectKey;
import io.bucketwright.volumes.directories.files.DirectoryTree;
import io.bucketwright.volumes.directories.files.Marker;
import io.bucketwright.volumes.directories.files.SampleMarkers;
import java.io.IOException;
import java.time.Duration;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Markers are files that nothing watches: what depends on them is reconciled when the root shows that they changed. */
class RootControllerTest extends InMemoryTestCase {

    private static final Duration INTERVAL = Duration.ofSeconds(30);
    private static final ObjectKey MARKER_CLAIM = new ObjectKey("team", "photos", "uid-1");
    private static final ObjectKey BOUND_CLAIM = new ObjectKey("team", "videos", "uid-2");

    private final Marker marker = SampleMarkers.marker("team-photos-vol", "uid-1", "root-1");
    private final Set<ObjectKey> claims = ConcurrentHashMap.newKeySet();
    private final Set<ObjectKey> volumes = ConcurrentHashMap.newKeySet();

    private DirectoryTree tree;
    private ObjectKey volume;

    @BeforeEach
    void create() throws IOException {
        tree = SampleMarkers.tree(root);
        volume = ObjectKey.of(createVolume("uid-1", "[]", "{namespace: team, name: videos, uid: uid-2}", "Bound"));
        RootController.register(process.context(), settings, roots, caches, claims::add, volumes::add, INTERVAL);
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
        awaitThat(() -> assertThat(roots.at(root).state()).isInstanceOf(RootState.Open.class));
        clear();

        assertThat(tree.createMarker(marker)).isTrue();
        time.advance(INTERVAL);

        awaitAdded(MARKER_CLAIM, BOUND_CLAIM);
    }

    private void awaitAdded(ObjectKey... expectedClaims) {
        awaitThat(() -> {
            assertThat(volumes).containsExactly(volume);
            assertThat(claims).containsExactlyInAnyOrder(expectedClaims);
        });
    }

    private void clear() {
        claims.clear();
        volumes.clear();
    }
}
