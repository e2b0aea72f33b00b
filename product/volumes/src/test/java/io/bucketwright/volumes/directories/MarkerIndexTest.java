package io.bucketwright.volumes.directories;

import static org.assertj.core.api.Assertions.assertThat;

import io.bucketwright.volumes.directories.classes.DirectoryClass;
import io.bucketwright.volumes.directories.files.Marker;
import io.bucketwright.volumes.directories.files.SampleMarkers;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

class MarkerIndexTest {

    private final MarkerIndex index = new MarkerIndex();
    private final AtomicInteger requeued = new AtomicInteger();
    private final Runnable waiting = requeued::incrementAndGet;

    private static Marker marker(int number, long bytes) {
        return SampleMarkers.withBytes(
                SampleMarkers.marker("team-" + number + "-vol", "uid-" + number, "root-1"), bytes);
    }

    @Test
    void withoutABudgetNoClaimIsTooLarge() {
        for (int i = 0; i < 3; i++) {
            assertThat(index.reserve(marker(i, Long.MAX_VALUE - i), DirectoryClass.UNLIMITED))
                    .isTrue();
        }
        assertThat(index.requestedByOthers("uid-9")).isEqualTo(Long.MAX_VALUE);
        index.remove(marker(0, 0).name());
        index.remove(marker(1, 0).name());
        index.remove(marker(2, 0).name());
        assertThat(index.requestedByOthers("uid-9")).isZero();
    }

    @Test
    void aClaimThatWaitsForRoomIsRequeuedWhenRoomIsMade() {
        assertThat(index.reserve(marker(1, 10), 10)).isTrue();
        assertThat(index.reserve(marker(2, 5), 10)).isFalse();
        assertThat(index.awaitRoom(waiting, marker(2, 5), 10)).isFalse();
        index.remove(marker(1, 10).name());
        assertThat(requeued).hasValue(1);
        // Room that was made between the decision and the wait is not overlooked.
        assertThat(index.awaitRoom(waiting, marker(2, 5), 10)).isTrue();
        assertThat(index.reserve(marker(2, 5), 10)).isTrue();
        assertThat(requeued).hasValue(1);
    }

    /** Claims that are created and deleted while the budget is exhausted must not fill the memory. */
    @Test
    void aClaimThatWasDeletedNoLongerWaitsForRoom() {
        assertThat(index.reserve(marker(1, 10), 10)).isTrue();
        for (int i = 2; i < 1_000; i++) {
            Runnable caller = requeued::incrementAndGet;
            assertThat(index.awaitRoom(caller, marker(i, 5), 10)).isFalse();
            index.forget(caller);
        }
        assertThat(index.waiting()).isZero();
        index.remove(marker(1, 10).name());
        assertThat(requeued).hasValue(0);
    }
}
