package io.bucketwright.app.scenarios;

import io.bucketwright.app.InstalledCommand;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.TimeUnit;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Two replicas each of a controller and of a sidecar with its driver, which are killed (SIGKILL) and stopped (SIGSTOP) while
 * an attack lasts. One that was killed is started again at once, and is not killed before it has started: otherwise a machine
 * on which that takes long would do nothing else. One that was stopped continues after its lease has ended, with whatever it
 * was about to send.
 */
final class AttackedReplicas implements AutoCloseable {

    /** How to start a replica. */
    record Role(String name, Map<String, String> environment, List<String> arguments) {}

    /**
     * How the replicas are attacked.
     *
     * @param period between two kills of a role
     * @param stop how long a replica is stopped: longer than its lease
     * @param rounds how often; 0 for as long as the attack lasts
     */
    record Plan(Duration period, Duration stop, int rounds, long seed) {}

    private static final Logger log = LoggerFactory.getLogger(AttackedReplicas.class);

    private static final class Replica {
        private final Role role;
        private final String name;
        private InstalledCommand process;
        private int starts;

        Replica(Role role, String name, Path folder) {
            this.role = role;
            this.name = name;
            this.process = start(folder);
        }

        InstalledCommand start(Path folder) {
            // A name of its own in the lease, and one for the files of each life.
            return InstalledCommand.start(
                    folder,
                    name + "-" + starts++,
                    with(role.environment(), "HOSTNAME", name),
                    List.of(),
                    role.arguments().toArray(String[]::new));
        }

        private static Map<String, String> with(Map<String, String> map, String key, String value) {
            Map<String, String> more = new HashMap<>(map);
            more.put(key, value);
            return more;
        }
    }

    private final Path folder;
    private final Plan plan;
    private final Random random;
    private final List<List<Replica>> roles = new ArrayList<>();
    private final Thread attacker;
    private int roundsLeft;
    private boolean closed;
    private int kills;
    private int stops;

    /** Starts the replicas and waits until all have started; the attack begins with {@link #attack}. */
    AttackedReplicas(Path folder, Plan plan, List<Role> roles) {
        this.folder = folder;
        this.plan = plan;
        this.random = new Random(plan.seed());
        for (Role role : roles) {
            this.roles.add(List.of(
                    new Replica(role, role.name() + "-a", folder), new Replica(role, role.name() + "-b", folder)));
        }
        this.roles.forEach(replicas -> replicas.forEach(replica -> replica.process.awaitStarted()));
        this.attacker = Thread.ofPlatform().name("attacker").start(this::run);
    }

    synchronized void attack() {
        roundsLeft = plan.rounds() == 0 ? Integer.MAX_VALUE : plan.rounds();
        notifyAll();
    }

    /** Ends the attack; all replicas run. */
    synchronized void pause() {
        roundsLeft = 0;
        notifyAll();
        roles.forEach(replicas -> replicas.forEach(replica -> {
            if (!replica.process.process().isAlive()) {
                replica.process = replica.start(folder);
            }
        }));
        log.info("So far {} processes were killed and {} stopped", kills, stops);
    }

    synchronized int kills() {
        return kills;
    }

    /** One replica of each role is killed in each round; in every second one, another of a random role is stopped. */
    private synchronized void run() {
        try {
            while (!closed) {
                if (roundsLeft == 0) {
                    wait();
                    continue;
                }
                roundsLeft--;
                for (List<Replica> replicas : roles) {
                    kill(replicas);
                }
                if (roundsLeft % 2 == 0) {
                    stopOne();
                } else {
                    pauseFor(plan.period());
                }
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    private void kill(List<Replica> replicas) throws InterruptedException {
        List<Replica> started = replicas.stream()
                .filter(replica -> replica.process.err().contains("Started"))
                .toList();
        if (!started.isEmpty()) {
            Replica victim = started.get(random.nextInt(started.size()));
            victim.process.kill();
            kills++;
            victim.process = victim.start(folder);
        }
    }

    private void stopOne() throws InterruptedException {
        pauseFor(plan.period().dividedBy(2));
        List<Replica> replicas = roles.get(random.nextInt(roles.size()));
        Process process = replicas.get(random.nextInt(replicas.size())).process.process();
        signal(process, "STOP");
        stops++;
        try {
            pauseFor(plan.stop());
        } finally {
            signal(process, "CONT");
        }
    }

    /** The lock is released, so that the attack can be ended meanwhile. */
    private void pauseFor(Duration time) throws InterruptedException {
        int rounds = roundsLeft;
        long end = System.nanoTime() + time.toNanos();
        for (long left = time.toNanos(); left > 0 && roundsLeft == rounds && !closed; left = end - System.nanoTime()) {
            TimeUnit.NANOSECONDS.timedWait(this, left);
        }
    }

    private static void signal(Process process, String name) {
        try {
            new ProcessBuilder("kill", "-" + name, Long.toString(process.pid()))
                    .start()
                    .waitFor(10, TimeUnit.SECONDS);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    @Override
    public void close() {
        synchronized (this) {
            closed = true;
            notifyAll();
        }
        try {
            attacker.join();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
        roles.forEach(replicas -> replicas.forEach(replica -> replica.process.close()));
    }
}
