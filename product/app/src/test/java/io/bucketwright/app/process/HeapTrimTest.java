package io.bucketwright.app.process;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class HeapTrimTest {

    private final HeapTrim trim = new HeapTrim(() -> {});

    private boolean isDue(int mebibytes) {
        return trim.isDue((long) mebibytes << 20);
    }

    private void collected(int mebibytes) {
        trim.collected((long) mebibytes << 20);
    }

    @Test
    void whatTheStartLeavesIsCollectedOnce() {
        assertThat(isDue(20)).isTrue();
        collected(12);
        assertThat(isDue(20)).as("the young generation fills").isFalse();
    }

    @Test
    void aLargeHeapIsCollectedWhenItMayHaveDoubled() {
        collected(100);
        assertThat(isDue(199)).isFalse();
        assertThat(isDue(201)).isTrue();
    }

    @Test
    void aSmallHeapIsCollectedWhenTheGarbageIsWorthIt() {
        collected(4);
        assertThat(isDue(13)).isFalse();
        assertThat(isDue(15)).isTrue();
    }
}
