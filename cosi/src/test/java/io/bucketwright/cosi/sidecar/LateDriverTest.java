package io.bucketwright.cosi.sidecar;

import static org.assertj.core.api.Assertions.assertThat;

import io.bucketwright.api.cosi.Bucket;
import io.bucketwright.api.cosi.BucketAccess;
import io.bucketwright.api.cosi.CosiNames;
import io.bucketwright.api.cosi.Provisioner;
import io.bucketwright.cosi.bench.Specs;
import io.bucketwright.cosi.sidecar.accesses.SidecarAccessController;
import io.bucketwright.cosi.sidecar.buckets.SidecarBucketController;
import io.bucketwright.cosi.sidecar.cache.ProvisionerSecrets;
import io.bucketwright.cosi.sidecar.cache.SidecarCaches;
import io.bucketwright.cosi.sidecar.driver.DriverCalls;
import io.bucketwright.cosi.sidecar.driver.DriverConnection;
import io.bucketwright.cosi.sidecar.driver.DriverRequests;
import io.bucketwright.cosi.sidecar.driver.DriverState;
import io.bucketwright.cosi.sidecar.driver.SidecarContext;
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
import io.grpc.ManagedChannel;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

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
        DriverCalls calls = new DriverCalls(
                channel,
                PROVISIONER.name(),
                Duration.ofSeconds(60),
                process.context().meters());
        DriverConnection connection = new DriverConnection(channel, PROVISIONER, calls, time);
        SidecarContext context = new SidecarContext(
                process.context(),
                PROVISIONER,
                1,
                new SidecarCaches(process.context().caches(), PROVISIONER),
                new ProvisionerSecrets(process.context().caches(), PROVISIONER, Set.of()),
                connection,
                calls,
                new DriverRequests(() -> "cluster-1"));
        SidecarBucketController.register(context);
        SidecarAccessController.register(context);
        connection.start();
        ends.add(process::close);
        ends.add(connection::close);
        Eventually.await("the driver").until(() -> connection.state() instanceof DriverState.Ready);
        return process.start();
    }
}
