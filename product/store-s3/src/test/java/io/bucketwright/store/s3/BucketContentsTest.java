package io.bucketwright.store.s3;

import static io.bucketwright.store.contract.StoreRequests.call;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.bucketwright.store.Progress;
import io.bucketwright.store.StoreCall;
import io.bucketwright.store.access.BucketName;
import io.bucketwright.store.errors.StoreException.NotEmpty;
import io.bucketwright.store.errors.StoreException.Unavailable;
import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Emptying buckets that hold more than one page. */
final class BucketContentsTest {

    private final FullBucketServer server;

    BucketContentsTest() throws IOException {
        server = new FullBucketServer();
    }

    @AfterEach
    void close() {
        server.close();
        assertThat(server.violations).isEmpty();
    }

    private void fill(String prefix, int count, String error) {
        for (int i = 0; i < count; i++) {
            server.objects.put(String.format(Locale.ROOT, "%s-%06d", prefix, i), error);
        }
    }

    private SessionBucket sessionBucket(StoreCall call) {
        return new SessionBucket(call, server.client, new BucketName("photos"));
    }

    private Progress deleteSlice(Duration slice) {
        return new BucketContents(sessionBucket(call()), slice).deleteSlice();
    }

    @Test
    void aHundredThousandObjectsAreDeletedPageByPageInParallelBatches() {
        fill("object", 100_000, "");
        for (int i = 0; i < 1_500; i++) {
            server.uploads.add("upload-" + i);
        }
        CountDownLatch together = new CountDownLatch(PageDeletion.PARALLEL);
        server.beforeDeletion = () -> {
            together.countDown();
            awaitQuietly(together);
        };
        long removed = 0;
        int calls = 1;
        // Each call is a new one, as after a crash.
        for (Progress progress = deleteSlice(Duration.ofMillis(500));
                progress instanceof Progress.More(long more);
                progress = deleteSlice(Duration.ofMillis(500))) {
            assertThat(more).isPositive();
            removed += more;
            calls++;
        }
        assertThat(server.objects).isEmpty();
        assertThat(server.uploads).isEmpty();
        assertThat(removed).isLessThanOrEqualTo(101_500);
        assertThat(server.mostKeys).as("keys in memory").hasValue(BucketContents.PAGE);
        assertThat(server.mostInFlight).as("requests at a time").hasValue(PageDeletion.PARALLEL);
        assertThat(server.deletions).as("requests").hasValue(100_000 / PageDeletion.BATCH);
        assertThat(server.lists.get())
                .as("one list for each page, and at most two empty ones for each of %s calls", calls)
                .isLessThanOrEqualTo(102 + 3 * calls);
    }

    /** Returns at once after the first time; a client that sends one request after the other waits in vain. */
    private static void awaitQuietly(CountDownLatch latch) {
        try {
            boolean _ = latch.await(5, TimeUnit.SECONDS);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    @Test
    void objectsThatAreLockedDoNotKeepTheOthers() {
        fill("a-locked", 1_700, "AccessDenied");
        fill("b-free", 2_300, "");
        fill("c-locked", 30, "AccessDenied");
        fill("d-free", 400, "");
        server.uploads.add("unfinished");
        // Without time for more, a call continues until it has deleted something.
        assertThat(deleteSlice(Duration.ZERO)).isEqualTo(new Progress.More(300));
        assertThatThrownBy(() -> deleteSlice(Duration.ofSeconds(20)))
                .isInstanceOf(NotEmpty.class)
                .hasMessageContaining(" 1730 ")
                .hasMessageContaining("a-locked-000000")
                .hasMessageContaining("AccessDenied");
        assertThat(server.objects).hasSize(1_730).doesNotContainValue("");
        assertThat(server.uploads).isEmpty();
        assertThatThrownBy(() -> deleteSlice(Duration.ofSeconds(20))).isInstanceOf(NotEmpty.class);
        server.objects.replaceAll((_, _) -> "");
        assertThat(deleteSlice(Duration.ofSeconds(20))).isEqualTo(new Progress.Done());
    }

    @Test
    void anErrorThatAsksToRetryIsNotALock() {
        fill("object", 600, "");
        server.once.put("object-000003", "InternalError");
        server.once.put("object-000599", "SlowDown");
        assertThat(deleteSlice(Duration.ZERO)).isEqualTo(new Progress.More(598));
        assertThat(deleteSlice(Duration.ofSeconds(20))).isEqualTo(new Progress.Done());
        fill("busy", 3, "SlowDown");
        assertThatThrownBy(() -> deleteSlice(Duration.ofSeconds(20))).isInstanceOf(Unavailable.class);
        server.objects.clear();
    }

    @Test
    void anObjectThatSomebodyElseDeletedIsDeleted() {
        fill("object", 2, "");
        server.once.put("object-000001", "NoSuchVersion");
        assertThat(deleteSlice(Duration.ZERO)).isEqualTo(new Progress.More(2));
    }

    @Test
    void aStoreThatForgetsDeletionsIsReported() {
        server.forgetful = true;
        fill("object", 3, "");
        assertThatThrownBy(() -> deleteSlice(Duration.ofSeconds(20)))
                .isInstanceOf(NotEmpty.class)
                .hasMessageContaining("\"object-00000");
        server.objects.clear();
        server.uploads.add("stale");
        assertThatThrownBy(() -> deleteSlice(Duration.ofSeconds(20)))
                .isInstanceOf(NotEmpty.class)
                .hasMessageContaining("stale");
    }

    @Test
    void aCancelledCallSendsNoFurtherRequests() {
        fill("object", 5_000, "");
        StoreCall call = call();
        server.beforeDeletion = call::cancel;
        assertThatThrownBy(() -> new BucketContents(sessionBucket(call), Duration.ofSeconds(20)).deleteSlice())
                .isInstanceOf(Unavailable.class);
        assertThat(server.deletions.get()).isBetween(1, PageDeletion.PARALLEL);
        assertThat(server.lists).hasValue(1);
    }

    @Test
    void anEmptyPageThatContinuesIsNotTheEndOfTheObjects() {
        fill(FullBucketServer.HIDDEN, 3, "");
        fill("object", 1_200, "");
        assertThat(new BucketContents(sessionBucket(call())).isEmpty()).isFalse();
        fill(FullBucketServer.HIDDEN, 2_500, "");
        assertThat(deleteSlice(Duration.ZERO)).isEqualTo(new Progress.More(500));
        assertThat(deleteSlice(Duration.ofSeconds(20))).isEqualTo(new Progress.Done());
        assertThat(server.objects).hasSize(2_500);
        assertThat(server.objects.firstKey()).startsWith(FullBucketServer.HIDDEN);
        assertThat(server.objects.lastKey()).startsWith(FullBucketServer.HIDDEN);
    }

    @Test
    void anEmptyPageThatContinuesIsNotTheEndOfTheUploads() {
        server.uploads.addAll(List.of(FullBucketServer.HIDDEN, "unfinished"));
        assertThat(new BucketContents(sessionBucket(call())).isEmpty()).isFalse();
        for (int i = 1; i < 1_500; i++) {
            server.uploads.add(FullBucketServer.HIDDEN + i);
        }
        assertThat(deleteSlice(Duration.ZERO)).isEqualTo(new Progress.More(1));
        assertThat(server.uploads).hasSize(1_500).doesNotContain("unfinished");
        assertThat(deleteSlice(Duration.ofSeconds(20))).isEqualTo(new Progress.Done());
    }

    @ParameterizedTest
    @CsvSource({"'', 1", "hidden, 2"})
    void anEmptyPageThatContinuesWhereItBeganIsAnErrorOfTheStore(String next, int requests) {
        server.nextKey = _ -> next;
        fill(FullBucketServer.HIDDEN, 1_001, "");
        BucketContents contents = new BucketContents(sessionBucket(call()));
        assertThatThrownBy(() -> contents.isEmpty())
                .isInstanceOf(Unavailable.class)
                .hasMessageContaining("photos")
                .hasMessageContaining("empty page");
        assertThat(server.lists).as("requests").hasValue(requests);
        assertThatThrownBy(() -> deleteSlice(Duration.ofSeconds(20))).isInstanceOf(Unavailable.class);
        assertThat(server.lists).as("requests").hasValue(2 * requests);
    }
}
