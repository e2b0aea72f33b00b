package io.bucketwright.buckets;

import io.bucketwright.runtime.engine.ControllerProcess;
import io.bucketwright.store.AdministratorSecret;
import io.bucketwright.store.BucketStore;
import io.bucketwright.store.StoreCall;
import io.bucketwright.store.StoreFactory;
import io.bucketwright.store.Stores;
import io.bucketwright.store.access.BucketOwner;
import io.bucketwright.store.errors.StoreException.Unavailable;
import io.bucketwright.store.parameters.Parameter;
import io.bucketwright.store.parameters.ParameterSchema;
import io.bucketwright.store.parameters.Parameters;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A process of its own that provisions buckets in stores whose calls take as long as their class says, so that a test can measure
 * what claims cost that wait for them.
 *
 * @param calls what the stores did, in order
 */
record SlowStoresProcess(Process process, List<Call> calls) implements AutoCloseable {

    private static final Logger log = LoggerFactory.getLogger(SlowStoresProcess.class);

    static final String DELAY = "delay";
    static final String NAME = "store";

    /** A call that a store began, for the claim with that uid. */
    record Call(String name, String uid) {}

    /** What the process runs: kubeconfig, namespace, provisioner and the number of workers are its arguments. */
    public static void main(String[] arguments) throws InterruptedException {
        CountDownLatch released = new CountDownLatch(1);
        Thread.ofPlatform().daemon().start(() -> {
            try {
                int _ = System.in.read();
                released.countDown();
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            }
        });
        try (ControllerProcess running = BucketProvisioner.builder()
                .kubeconfig(Path.of(arguments[0]))
                .namespace(arguments[1])
                .provisioner(arguments[2])
                .workers(Integer.parseInt(arguments[3]))
                .storeTimeout(Duration.ofHours(1))
                .stores(new Stores(List.of(new SlowStoreFactory(released))), "slow")
                .build()) {
            running.run();
        }
    }

    static SlowStoresProcess start(Path kubeconfig, String namespace, String provisioner, int workers) {
        SlowStoresProcess started = new SlowStoresProcess(
                ReplicaProcess.start(
                        SlowStoresProcess.class,
                        ProcessBuilder.Redirect.PIPE,
                        kubeconfig.toString(),
                        namespace,
                        provisioner,
                        Integer.toString(workers)),
                new CopyOnWriteArrayList<>());
        Thread.ofPlatform().daemon().start(started::read);
        return started;
    }

    private void read() {
        try (BufferedReader lines = process.inputReader(StandardCharsets.UTF_8)) {
            lines.lines().forEach(line -> {
                String[] words = line.split(" ", -1);
                if (words.length == 3 && words[0].equals("CALL")) {
                    calls.add(new Call(words[1], words[2]));
                } else {
                    log.info("{}", line);
                }
            });
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** From now on, no call takes time, and those that run end. */
    void release() {
        try {
            process.getOutputStream().write('\n');
            process.getOutputStream().flush();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    Duration cpu() {
        return process.toHandle().info().totalCpuDuration().orElseThrow();
    }

    @Override
    public void close() {
        process.destroyForcibly();
        process.onExit().join();
    }

    private record SlowStoreFactory(CountDownLatch released) implements StoreFactory {

        @Override
        public String name() {
            return "slow";
        }

        @Override
        public ParameterSchema parameters() {
            return ParameterSchema.of(
                    Parameter.optional(DELAY, "The duration of each call in milliseconds.")
                            .withDefault("0"),
                    Parameter.optional(NAME, "The name of the store."));
        }

        @Override
        public BucketStore open(Parameters parameters, AdministratorSecret administrator) {
            long delay = Long.parseLong(parameters.text(DELAY));
            return new HookedStore(new MemoryStore(), (call, name, owner) -> pause(call, name, owner, delay));
        }

        private void pause(StoreCall call, String name, BucketOwner owner, long delay) {
            System.out.println("CALL " + name + " " + owner.uid());
            call.interruptible(() -> {
                try {
                    return released.await(delay, TimeUnit.MILLISECONDS);
                } catch (InterruptedException e) {
                    throw new Unavailable("The call was cancelled.", e);
                }
            });
            call.check();
        }
    }
}
