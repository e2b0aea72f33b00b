package io.bucketwright.app.scenarios;

import static org.assertj.core.api.Assertions.assertThat;

import io.bucketwright.buckets.BucketProvisioner;
import io.bucketwright.store.Stores;
import io.bucketwright.testing.ApiUser;
import io.bucketwright.testing.CrashingClient.Moment;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.function.Consumer;
import java.util.function.Predicate;
import java.util.function.UnaryOperator;

/** One flow, lived again and again by processes that die at their first, second, third call to the store. */
final class StoreDeaths {

    private static final int SIDE_BY_SIDE = 2;

    private final Scenario scenario;
    private final ApiUser user;
    private final Map<String, String> parameters;
    private final Map<String, String> otherParameters;

    /** @param otherParameters of a second class, for flows that lead from one to another */
    StoreDeaths(Scenario scenario, ApiUser user, Map<String, String> parameters, Map<String, String> otherParameters) {
        this.scenario = scenario;
        this.user = user;
        this.parameters = parameters;
        this.otherParameters = otherParameters;
    }

    /** One claim with a provisioner, and so with processes, of its own. */
    record Life(DyingProcess process, String name, String provisioner, String ofClass, String ofOtherClass) {}

    /**
     * Both moments side by side, each for call 1, 2, 3, … until nobody dies; the number of deaths.
     *
     * @param prepare what the process does before its death is near
     * @param change what happens then
     * @param isDone whether the change has arrived everywhere
     */
    int ofFlow(Consumer<Life> prepare, Consumer<Life> change, Predicate<Life> isDone) {
        try (ExecutorService executor = Executors.newVirtualThreadPerTaskExecutor()) {
            List<Future<Integer>> all = new ArrayList<>();
            for (Moment moment : Moment.values()) {
                all.add(executor.submit(() -> {
                    int deaths = 0;
                    for (int first = 1; ; first += SIDE_BY_SIDE) {
                        List<Future<Boolean>> batch = new ArrayList<>();
                        for (int call = first; call < first + SIDE_BY_SIDE; call++) {
                            batch.add(executor.submit(dies(call, moment, prepare, change, isDone)));
                        }
                        int before = deaths;
                        for (Future<Boolean> one : batch) {
                            deaths += get(one) ? 1 : 0;
                        }
                        if (deaths - before < SIDE_BY_SIDE) {
                            return deaths;
                        }
                    }
                }));
            }
            return all.stream().mapToInt(StoreDeaths::get).sum();
        }
    }

    private Callable<Boolean> dies(
            int call, Moment moment, Consumer<Life> prepare, Consumer<Life> change, Predicate<Life> isDone) {
        return () -> {
            DyingProcess process = new DyingProcess();
            Life life = life(process, moment.name().substring(0, 1).toLowerCase(Locale.ROOT) + call);
            try (BucketProvisioner _ = start(life, it -> process.equip(it, "s3"))) {
                prepare.accept(life);
                process.dieAt(call, moment);
                change.accept(life);
                Scenario.await(life.name() + " dead or done").until(() -> process.died() || isDone.test(life));
            }
            try (BucketProvisioner _ = start(life, it -> it.stores(Stores.installed(), "s3"))) {
                Scenario.await(life.name() + " done").until(() -> isDone.test(life));
            }
            // Once more, now that nobody moves it any further.
            assertThat(isDone.test(life)).isTrue();
            return process.died();
        };
    }

    private Life life(DyingProcess process, String suffix) {
        String provisioner = scenario.provisioner() + "-" + suffix;
        return new Life(
                process,
                "mine-" + suffix,
                provisioner,
                scenario.storageClass(suffix, scenario.s3Parameters(parameters), provisioner),
                scenario.storageClass("other-" + suffix, scenario.s3Parameters(otherParameters), provisioner));
    }

    private BucketProvisioner start(Life life, UnaryOperator<BucketProvisioner.Builder> more)
            throws InterruptedException {
        BucketProvisioner started = more.apply(BucketProvisioner.builder()
                        .client(user.config())
                        .provisioner(life.provisioner())
                        .namespace(scenario.namespace()))
                .build()
                .start();
        started.awaitWorking();
        return started;
    }

    private static <T> T get(Future<T> future) {
        try {
            return future.get();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException(e);
        } catch (ExecutionException e) {
            throw new AssertionError(e.getCause());
        }
    }
}
