package io.bucketwright.runtime.engine;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.bucketwright.runtime.IdleInformers;
import io.bucketwright.runtime.Leadership;
import io.bucketwright.runtime.LeadershipLostException;
import io.bucketwright.runtime.ManualLeadership;
import io.bucketwright.runtime.ManualTime;
import io.bucketwright.runtime.Moment;
import io.bucketwright.runtime.cache.ObjectCaches;
import io.bucketwright.runtime.cache.Scope;
import io.bucketwright.runtime.controller.Controller;
import io.bucketwright.runtime.controller.Decision;
import io.bucketwright.runtime.controller.LoopReconciler;
import io.bucketwright.runtime.controller.Outcome;
import io.bucketwright.runtime.controller.Result;
import io.bucketwright.runtime.queue.Backoff;
import io.bucketwright.runtime.queue.WorkQueue;
import io.fabric8.kubernetes.api.model.ConfigMap;
import io.fabric8.kubernetes.api.model.Secret;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.BooleanSupplier;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** In a new term nothing is reconciled before all caches are as new as the lease. */
class TermBarrierTest {

    private record Request(Moment since, BooleanSupplier wanted, CompletableFuture<Boolean> current) {}

    private final ManualTime time = new ManualTime();
    private final ManualLeadership lease = new ManualLeadership();
    private final SimpleMeterRegistry meters = new SimpleMeterRegistry();
    private final Deque<Request> requests = new ArrayDeque<>();
    private final ObjectCaches caches = new ObjectCaches(new Informers(), meters);
    private final List<String> reconciled = new CopyOnWriteArrayList<>();

    TermBarrierTest() {
        lease.lose();
        caches.of(ConfigMap.class, Scope.everything());
        caches.of(Secret.class, Scope.everything());
    }

    @Test
    void leadershipBeginsWhenTheLastCacheIsCurrent() {
        TermBarrier barrier = new TermBarrier(lease, caches, time);
        List<String> gained = new ArrayList<>();
        barrier.onGained(() -> gained.add("gained"));
        time.advance(Duration.ofSeconds(7));
        lease.gainAfterAnotherLeader();
        assertThat(requests).hasSize(2).allMatch(request -> request.since().equals(time.moment()));
        requests.remove().current().complete(true);
        assertThat(barrier.held()).isFalse();
        assertThat(barrier.remaining()).isZero();
        assertThat(gained).isEmpty();
        requests.remove().current().complete(true);
        assertThat(barrier.held()).isTrue();
        assertThat(barrier.remaining()).isPositive();
        assertThat(gained).hasSize(1);
        assertThat(barrier.term()).isEqualTo(lease.term());
    }

    @Test
    void aTermNeedsItOnceHoweverOftenTheLeaseIsRenewedLate() {
        TermBarrier barrier = passed();
        lease.lose();
        assertThat(barrier.held()).isFalse();
        lease.gain();
        assertThat(barrier.held()).isTrue();
        assertThat(requests).isEmpty();
        lease.lose();
        lease.gainAfterAnotherLeader();
        assertThat(barrier.held()).isFalse();
        assertThat(requests).hasSize(2);
        lease.gain();
        assertThat(requests).as("already under way").hasSize(2);
    }

    @Test
    void anotherTermThatBeginsMeanwhileIsNotOpenedByTheWaitOfTheFormerOne() {
        TermBarrier barrier = new TermBarrier(lease, caches, time);
        lease.gainAfterAnotherLeader();
        List<Request> former = List.copyOf(requests);
        requests.clear();
        lease.lose();
        lease.gainAfterAnotherLeader();
        assertThat(former).noneMatch(request -> request.wanted().getAsBoolean());
        former.forEach(request -> request.current().complete(true));
        assertThat(barrier.held()).isFalse();
        complete(true);
        assertThat(barrier.held()).isTrue();
    }

    @Test
    void aWaitThatWasGivenUpBecauseTheLeaseWasLostBeginsAgainWithTheNextRenewal() {
        TermBarrier barrier = new TermBarrier(lease, caches, time);
        lease.gainAfterAnotherLeader();
        lease.lose();
        complete(false);
        assertThat(requests).isEmpty();
        lease.gain();
        assertThat(requests).hasSize(2);
        complete(true);
        assertThat(barrier.held()).isTrue();
    }

    @Test
    void aWaitThatWasGivenUpGoesOnIfTheLeaseIsHeldAgainAlready() {
        TermBarrier barrier = new TermBarrier(lease, caches, time);
        lease.gainAfterAnotherLeader();
        complete(false);
        assertThat(requests).hasSize(2);
        complete(true);
        assertThat(barrier.held()).isTrue();
    }

    @Test
    void cachesThatAreClosedEndTheWait() {
        TermBarrier barrier = new TermBarrier(lease, caches, time);
        lease.gainAfterAnotherLeader();
        List.copyOf(requests).forEach(request -> request.current().completeExceptionally(new Exception("closed")));
        assertThat(requests).hasSize(2);
        assertThat(barrier.held()).isFalse();
    }

    @Test
    void aWaitThatTakesLongIsReported() {
        TermBarrier barrier = new TermBarrier(lease, caches, time);
        lease.gainAfterAnotherLeader();
        assertThat(barrier.delayed()).isEmpty();
        time.advance(Duration.ofSeconds(11));
        assertThat(barrier.delayed()).contains(Duration.ofSeconds(11));
        complete(true);
        assertThat(barrier.delayed()).isEmpty();
    }

    @Test
    void keysWaitInTheQueueUntilTheCachesAreCurrent() throws InterruptedException {
        Controller<String> controller = controller("c", new TermBarrier(lease, caches, time));
        Controller<String> unguarded = controller("unguarded", lease);
        controller.start();
        controller.add("behind the barrier");
        unguarded.start();
        unguarded.add("with the lease");
        lease.gainAfterAnotherLeader();
        Awaitility.await().untilAsserted(() -> assertThat(reconciled).containsExactly("with the lease"));
        complete(true);
        Awaitility.await()
                .untilAsserted(() -> assertThat(reconciled).containsExactly("with the lease", "behind the barrier"));
        controller.stop(Duration.ofSeconds(1));
        unguarded.stop(Duration.ofSeconds(1));
    }

    private Controller<String> controller(String name, Leadership leadership) {
        return new Controller<>(
                name,
                key -> {
                    reconciled.add(key);
                    return Result.done();
                },
                new WorkQueue<>(name, time, Backoff.standard(), new Random(1), meters),
                leadership,
                meters);
    }

    /** It is in work before the barrier of the term is passed, so no queue holds it back. */
    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void anObservationBeforeTheCachesAreCurrentIsNotActedOnAfterwards(boolean begunInTheTerm) {
        TermBarrier barrier = passed();
        Runnable nextTerm = () -> {
            lease.lose();
            lease.gainAfterAnotherLeader();
        };
        if (begunInTheTerm) {
            nextTerm.run();
        }
        LoopReconciler<String, String, String> loop = new LoopReconciler<>(
                barrier,
                _ -> {
                    if (!begunInTheTerm) {
                        nextTerm.run();
                    }
                    return "old caches";
                },
                observation -> {
                    complete(true);
                    return Decision.act(observation);
                },
                step -> {
                    reconciled.add(step);
                    return Outcome.finish(Result.done());
                });
        assertThatThrownBy(() -> loop.reconcile("a")).isInstanceOf(LeadershipLostException.class);
        assertThat(reconciled).isEmpty();
    }

    private TermBarrier passed() {
        TermBarrier barrier = new TermBarrier(lease, caches, time);
        lease.gainAfterAnotherLeader();
        complete(true);
        assertThat(barrier.held()).isTrue();
        return barrier;
    }

    private void complete(boolean current) {
        List<Request> all = List.copyOf(requests);
        requests.clear();
        all.forEach(request -> request.current().complete(current));
    }

    private final class Informers extends IdleInformers {
        @Override
        protected CompletableFuture<Boolean> current(Moment since, BooleanSupplier wanted) {
            Request request = new Request(since, wanted, new CompletableFuture<>());
            requests.add(request);
            return request.current();
        }
    }
}
