package io.bucketwright.cosi.sidecar;

import static org.assertj.core.api.Assertions.assertThat;

import io.bucketwright.api.cosi.Bucket;
import io.bucketwright.api.cosi.BucketAccess;
import io.bucketwright.api.cosi.CosiNames;
import io.bucketwright.api.cosi.Provisioner;
import io.bucketwright.api.cosi.status.BucketPhase;
import io.bucketwright.cosi.fixture.Specs;
import io.bucketwright.cosi.sidecar.dialect.CallSettings;
import io.bucketwright.cosi.sidecar.driver.DriverConnection;
import io.bucketwright.cosi.sidecar.driver.DriverState;
import io.bucketwright.cosi.sidecar.driver.SidecarSamples;
import io.bucketwright.cosi.wire.SocketChannels;
import io.bucketwright.cosi.wire.SocketPath;
import io.bucketwright.runtime.ManualLeadership;
import io.bucketwright.runtime.ManualTime;
import io.bucketwright.runtime.testing.InMemoryApiServer;
import io.bucketwright.runtime.testing.InMemoryProcess;
import io.bucketwright.testing.Eventually;
import io.bucketwright.testing.TestCluster;
import io.fabric8.kubernetes.api.model.Secret;
import io.grpc.Context;
import io.grpc.ManagedChannel;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Two sidecars, and a driver that answers the first one after the second one has taken over. */
class LateDriverTest {

    private static final Provisioner PROVISIONER = SidecarSamples.PROVISIONER;

    private final InMemoryApiServer server = new InMemoryApiServer();
    private final ManualTime time = new ManualTime();
    private final ScriptedDriver driver = new ScriptedDriver(PROVISIONER.name());
    private final List<Runnable> ends = new ArrayList<>();

    @AfterEach
    void close() {
        ends.reversed().forEach(Runnable::run);
        driver.close();
    }

    /**
     * The first call creates the bucket, the second one grants access. If the first sidecar leads again, its cache does not
     * show what the second one wrote.
     */
    @ParameterizedTest
    @CsvSource({"1,false", "1,true", "2,false", "2,true"})
    void nothingIsCreatedTwiceAndThePublishedKeyWorks(int late, boolean leadsAgain) {
        ManualLeadership first = new ManualLeadership();
        ManualLeadership second = new ManualLeadership();
        second.lose();
        InMemoryProcess old = sidecar(first);
        InMemoryProcess successor = sidecar(second);
        AtomicInteger calls = new AtomicInteger();
        List<String> published = new ArrayList<>();
        driver.afterEffect(() -> {
            if (calls.incrementAndGet() == late) {
                first.lose();
                second.gain();
                successor.settle();
                published.add(publishedKey());
                if (leadsAgain) {
                    second.lose();
                    first.gainAfterAnotherLeader();
                }
            }
        });
        Bucket bucket = createBucket();
        BucketAccess access = createAccess(bucket);

        for (int round = 0; round < 40; round++) {
            old.runNext();
            old.deliverNext();
        }
        successor.settle();

        assertThat(published).hasSize(1);
        assertThat(driver.buckets).hasSize(1);
        assertThat(driver.accounts)
                .as("one account, with the key in the Secret")
                .containsExactlyEntriesOf(Map.of(access.account(), publishedKey()));
        if (!leadsAgain) {
            assertThat(publishedKey()).as("the key that pods use already").isEqualTo(published.getFirst());
        }
    }

    /** The first call revokes the access, the second one deletes the bucket. */
    @ParameterizedTest
    @ValueSource(ints = {1, 2})
    void aLateRevocationOrDeletionIsFinishedByTheSuccessorOnly(int late) {
        ManualLeadership first = new ManualLeadership();
        InMemoryProcess old = sidecar(first);
        Bucket bucket = createBucket();
        BucketAccess access = createAccess(bucket);
        old.settle();
        assertThat(driver.accounts).hasSize(1);
        ManualLeadership second = new ManualLeadership();
        second.lose();
        InMemoryProcess successor = sidecar(second);
        AtomicInteger calls = new AtomicInteger();
        AtomicInteger writesOfOld = new AtomicInteger(-1);
        driver.afterEffect(() -> {
            if (calls.incrementAndGet() == late) {
                first.lose();
                writesOfOld.set(old.writes().size());
                second.gain();
                successor.settle();
            }
        });

        server.delete(BucketAccess.class, "", access.getMetadata().getName());
        server.delete(Bucket.class, "", bucket.getMetadata().getName());
        for (int round = 0; round < 40; round++) {
            old.runNext();
            old.deliverNext();
        }
        successor.settle();

        assertThat(driver.accounts).isEmpty();
        assertThat(driver.buckets).isEmpty();
        assertThat(server.list(Secret.class)).isEmpty();
        assertThat(server.list(Bucket.class))
                .extracting(Bucket::phase)
                .as("the controller removes the object")
                .containsExactly(BucketPhase.DELETED);
        assertThat(old.writes()).as("the late answer is dropped").hasSize(writesOfOld.get());
    }

    enum History {
        /** The first leader publishes the first key. */
        GRANTED,
        /** The first leader publishes the key of a rotation. */
        ROTATED,
        /** The first leader ends an overlap and rotates again: the account of the former overlap is in use again. */
        ROTATED_AGAIN
    }

    /**
     * The first leader publishes a key. The second leader, whose cache does not show that, ends before it writes anything.
     * The third leader sees the Secret of the first one.
     */
    @ParameterizedTest
    @EnumSource(History.class)
    void aLeaderWithAnOldCacheDoesNotEndAPublishedKey(History history) {
        ManualLeadership first = new ManualLeadership();
        InMemoryProcess old = sidecar(first);
        Bucket bucket = createBucket();
        old.settle();
        BucketAccess access = createAccess(bucket);
        if (history == History.ROTATED || history == History.ROTATED_AGAIN) {
            old.settle();
            requestRotation(access, time.now());
        }
        if (history == History.ROTATED_AGAIN) {
            old.settle();
            time.advance(Duration.ofHours(25));
        }
        ManualLeadership second = new ManualLeadership();
        second.lose();
        InMemoryProcess stale = sidecar(second);
        old.settle();
        if (history == History.ROTATED_AGAIN) {
            requestRotation(access, time.now());
            old.settle();
        }
        String published = publishedKey();
        assertThat(driver.accounts).containsValue(published);
        first.lose();
        ManualLeadership third = new ManualLeadership();
        third.lose();
        InMemoryProcess last = sidecar(third);

        AtomicInteger calls = new AtomicInteger();
        driver.afterEffect(() -> {
            calls.incrementAndGet();
            second.lose();
        });
        second.gain();
        for (int round = 0; round < 20; round++) {
            // Nothing is delivered to its caches.
            stale.runNext();
        }
        second.lose();
        driver.afterEffect(() -> {});
        third.gain();
        last.settle();

        assertThat(calls).hasValue(0);
        assertThat(publishedKey()).isEqualTo(published);
        assertThat(driver.accounts).containsValue(published);
    }

    /** Some drivers work for minutes; what the next leader needs is recorded before. */
    @Test
    void aCallMayLastLongerThanTheLease() {
        ManualLeadership leadership = new ManualLeadership();
        leadership.remaining(Duration.ofSeconds(20));
        InMemoryProcess process = sidecar(leadership);
        List<Duration> deadlines = new CopyOnWriteArrayList<>();
        driver.beforeEffect(() -> Optional.ofNullable(Context.current().getDeadline())
                .ifPresent(deadline -> deadlines.add(Duration.ofNanos(deadline.timeRemaining(TimeUnit.NANOSECONDS)))));
        createAccess(createBucket());
        process.settle();
        assertThat(deadlines)
                .as("the timeout of the driver is 60 s")
                .hasSize(2)
                .allSatisfy(left -> assertThat(left).isGreaterThan(Duration.ofSeconds(20)));
    }

    private void requestRotation(BucketAccess access, Instant at) {
        server.edit(
                BucketAccess.class,
                "",
                access.getMetadata().getName(),
                object -> object.getMetadata().setAnnotations(Map.of(CosiNames.ROTATE_AT, at.toString())));
    }

    private String publishedKey() {
        return server.list(Secret.class).stream()
                .map(secret -> TestCluster.decoded(secret).getOrDefault("AWS_SECRET_ACCESS_KEY", ""))
                .findFirst()
                .orElse("");
    }

    private Bucket createBucket() {
        Bucket bucket = SidecarSamples.bucket(spec -> spec);
        bucket.getMetadata().setLabels(Map.of(CosiNames.PROVISIONER_LABEL, PROVISIONER.label()));
        return server.create(bucket);
    }

    private BucketAccess createAccess(Bucket bucket) {
        return server.create(SidecarSamples.access(access -> {
            access.getMetadata().setLabels(Map.of(CosiNames.PROVISIONER_LABEL, PROVISIONER.label()));
            access.setSpec(Specs.with(
                    access.getSpec(), "bucketUid", bucket.getMetadata().getUid()));
        }));
    }

    private InMemoryProcess sidecar(ManualLeadership leadership) {
        InMemoryProcess process = new InMemoryProcess(server, time, leadership);
        ManagedChannel channel = SocketChannels.open(SocketPath.parse(driver.endpoint()));
        CallSettings settings = new CallSettings(
                PROVISIONER.name(), Duration.ofSeconds(60), process.context().meters());
        DriverConnection connection = new DriverConnection(
                channel,
                List.of(PROVISIONER.name()),
                List.of(new CosiV1Driver(channel, settings, () -> "cluster-1")),
                time);
        SidecarContext context = new SidecarContext(
                process.context(),
                PROVISIONER,
                1,
                new SidecarCaches(process.context().caches(), PROVISIONER),
                new ProvisionerSecrets(process.context().caches(), PROVISIONER, Set.of(), Map.of()),
                connection);
        SidecarBucketController.register(context);
        SidecarAccessController.register(context);
        connection.start();
        ends.add(process::close);
        ends.add(connection::close);
        Eventually.await("the driver").until(() -> connection.state() instanceof DriverState.Ready);
        return process.start();
    }
}
