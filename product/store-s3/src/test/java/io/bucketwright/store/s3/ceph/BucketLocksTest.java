package io.bucketwright.store.s3.ceph;

import static io.bucketwright.store.contract.StoreRequests.call;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.bucketwright.store.StoreCall;
import io.bucketwright.store.access.BucketName;
import io.bucketwright.store.errors.StoreException.Unavailable;
import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** A call waits for another one that changes the same bucket, and no longer than it may. */
final class BucketLocksTest {

    private static final BucketName BUCKET = new BucketName("photos");

    private final BucketLocks locks = new BucketLocks();
    private final ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor();
    private final CountDownLatch end = new CountDownLatch(1);

    @BeforeEach
    void lock() throws InterruptedException {
        CountDownLatch held = new CountDownLatch(1);
        Future<?> _ = threads.submit(() -> locks.locked(call(), BUCKET, () -> {
            held.countDown();
            try {
                return end.await(1, TimeUnit.MINUTES);
            } catch (InterruptedException e) {
                throw new IllegalStateException(e);
            }
        }));
        held.await();
    }

    @AfterEach
    void stop() {
        end.countDown();
        threads.close();
    }

    @Test
    void aCancelledCallDoesNotWaitForTheOther() {
        StoreCall call = call();
        Future<String> waiting = threads.submit(() -> locks.locked(call, BUCKET, () -> "changed"));
        call.cancel();
        assertThatThrownBy(() -> waiting.get(1, TimeUnit.MINUTES))
                .isInstanceOf(ExecutionException.class)
                .hasCauseInstanceOf(Unavailable.class)
                .hasMessageContaining("cancelled");
    }

    @Test
    void aCallGivesUpAtItsDeadline() {
        assertThatThrownBy(() -> locks.locked(StoreCall.within(Duration.ofMillis(50)), BUCKET, () -> "changed"))
                .isInstanceOf(Unavailable.class)
                .hasMessageContaining("photos");
    }

    @Test
    void theNextCallContinuesWhenTheFirstIsDone() throws Exception {
        Future<String> waiting = threads.submit(() -> locks.locked(call(), BUCKET, () -> "changed"));
        end.countDown();
        assertThat(waiting.get(1, TimeUnit.MINUTES)).isEqualTo("changed");
    }
}
