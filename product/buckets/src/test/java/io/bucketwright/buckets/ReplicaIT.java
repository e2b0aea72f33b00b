package io.bucketwright.buckets;

import static org.assertj.core.api.Assertions.assertThat;

import io.bucketwright.api.Phase;
import io.bucketwright.local.AddOn;
import io.bucketwright.local.process.Ports;
import io.bucketwright.local.stores.StoreAccess;
import io.bucketwright.testing.ApiUser;
import io.bucketwright.testing.Eventually;
import io.bucketwright.testing.OnCluster;
import io.bucketwright.testing.SocketProxy;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse.BodyHandlers;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.Test;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import software.amazon.awssdk.services.iam.IamClient;
import software.amazon.awssdk.services.iam.model.User;
import software.amazon.awssdk.services.s3.S3Client;

/** Replicas of the provisioner as processes of their own, with versitygw as store: they are stopped, and they are killed. */
@OnCluster(with = AddOn.S3)
@Order(3)
class ReplicaIT extends BucketTestBase {

    private static final Logger log = LoggerFactory.getLogger(ReplicaIT.class);

    private static final String CREATE_KEY = "Action=CreateAccessKey";

    /** What a request contains in which a leader is stopped: IAM actions, and S3 requests with their query. */
    private static final List<String> STOPPED_CALLS = List.of(
            "Action=CreateUser",
            CREATE_KEY,
            "Action=DeleteAccessKey",
            "Action=PutUserPolicy",
            "?policy",
            "Action=DeleteUser&",
            "Action=ListAccessKeys",
            "DELETE /",
            "?tagging",
            CREATE_KEY,
            "Action=DeleteUserPolicy",
            "PUT /");

    /**
     * SIGSTOP and SIGCONT of the leader in requests to the store, with a second replica, while claims are bound, get other
     * credentials and other options, and are deleted. One request to create a key reaches the store after the takeover.
     */
    @Test
    void leadersThatAreStoppedBetweenTwoStoreCallsLeaveKeysThatWorkAndNoOthers() throws InterruptedException {
        StoreAccess access = bench.s3Administrator();
        ApiUser user = cluster.user("buckets");
        int rounds = Integer.getInteger("bucketwright.stop.stops", 2);
        int lease = Integer.getInteger("bucketwright.stop.lease", 3);
        List<String> names = names("stop-", Integer.getInteger("bucketwright.stop.claims", 12));
        try (SocketProxy iam = new SocketProxy(URI.create(access.iamEndpoint()).getPort());
                SocketProxy s3 = new SocketProxy(URI.create(access.endpoint()).getPort());
                ReplicaProcess a =
                        ReplicaProcess.start(user.kubeconfig(), bench.namespace(), bench.provisioner(), "a", lease, 0);
                ReplicaProcess b = ReplicaProcess.start(
                        user.kubeconfig(), bench.namespace(), bench.provisioner(), "b", lease, 0)) {
            LeaderStops stops = new LeaderStops(bench, Map.of("a", a, "b", b), iam, s3);
            Eventually.await("a leader").until(() -> !stops.leader().isEmpty());
            String storageClass = bench.storageClass(
                    "stop", parameters(access, "http://127.0.0.1:" + s3.port(), "http://127.0.0.1:" + iam.port()));
            iam.delayResponses(100);
            s3.delayResponses(50);
            Map<String, Boolean> open = new HashMap<>();
            Map<String, String> deleted = new HashMap<>();
            for (int round = 0; round < rounds; round++) {
                List<String> former = names.subList(0, round * names.size() / rounds);
                List<String> created = names.subList(former.size(), (round + 1) * names.size() / rounds);
                created.forEach(name -> bench.newBucket(name, storageClass));
                // A third of those that live gets other credentials, a third other options, and some are deleted.
                for (int i = 0; i < former.size(); i++) {
                    String name = former.get(i);
                    if (deleted.containsKey(name)) {
                        continue;
                    }
                    switch ((i + round) % 6) {
                        case 0, 3 ->
                            bench.annotate(
                                    bench.get(name),
                                    "bucketwright.io/rotate-at",
                                    Instant.now().minusSeconds(1).toString());
                        case 1, 4 -> {
                            open.merge(name, true, (before, _) -> !before);
                            bench.setOptions(
                                    name,
                                    Boolean.TRUE.equals(open.get(name)) ? Map.of("anonymousAccess", "ro") : Map.of());
                        }
                        case 2 -> {
                            if (deleted.size() < names.size() / 4) {
                                deleted.put(name, bench.userOf(name));
                                bench.delete(name);
                            }
                        }
                        default -> {}
                    }
                }
                String call = STOPPED_CALLS.get(round % STOPPED_CALLS.size());
                stops.during(call, call.equals(CREATE_KEY) && round > 0, Duration.ofSeconds(20));
            }
            iam.restore();
            s3.restore();
            log.info("Stopped leaders: {}", stops.stops());
            deleted.keySet().forEach(bench::awaitDeleted);
            List<String> living =
                    names.stream().filter(name -> !deleted.containsKey(name)).toList();
            living.forEach(bench::awaitBound);
            try (IamClient users = S3Clients.users(access);
                    HttpClient http = HttpClient.newHttpClient()) {
                for (String name : living) {
                    assertKeyWorksAndIsTheOnlyOne(access, users, name);
                    Eventually.await("options of " + name)
                            .until(() -> isOpen(http, access, name) == open.getOrDefault(name, false));
                }
                // Other tests use the same store.
                assertThat(users.listUsersPaginator().users().stream().map(User::userName))
                        .as("users of deleted claims")
                        .doesNotContainAnyElementsOf(deleted.values());
            }
            bench.remove(living.toArray(String[]::new));
        }
    }

    /**
     * SIGKILL again and again, sooner than the lease expires: the next process listens at the same address, so it takes the
     * lease of its predecessor at once.
     */
    @Test
    void aProcessThatIsKilledAgainAndAgainBindsAllClaims() throws InterruptedException {
        StoreAccess access = bench.s3Administrator();
        ApiUser user = cluster.user("buckets");
        int claims = Integer.getInteger("bucketwright.kill.claims", 6);
        int seconds = Integer.getInteger("bucketwright.kill.seconds", 0);
        int lease = Integer.getInteger("bucketwright.kill.lease", 600);
        String storageClass = bench.storageClass("kill", parameters(access, access.endpoint(), access.iamEndpoint()));
        List<String> names = new ArrayList<>();
        // Between two processes, no outgoing connection gets it.
        int port = Ports.choose(null);
        int kills = 0;
        while (kills == 0 || (seconds > 0 ? bound(names) < claims : kills < 2)) {
            // Without a time, each of two processes gets half of the claims and is killed when it has bound one.
            while (names.size() < (seconds > 0 || kills > 0 ? claims : claims / 2)) {
                names.add("kill-" + names.size());
                bench.newBucket(names.getLast(), storageClass);
            }
            long before = bound(names);
            try (ReplicaProcess _ = ReplicaProcess.start(
                    user.kubeconfig(), bench.namespace(), bench.provisioner(), "me", lease, port)) {
                if (seconds > 0) {
                    Thread.sleep(Duration.ofSeconds(seconds));
                } else {
                    Eventually.await("one more claim").until(() -> bound(names) > before);
                }
            }
            kills++;
            assertThat(kills).as("kills until all are Bound").isLessThan(10 * claims);
        }
        log.info("{} of {} claims are Bound after {} kills", bound(names), claims, kills);
        try (ReplicaProcess _ = ReplicaProcess.start(
                        user.kubeconfig(), bench.namespace(), bench.provisioner(), "me", lease, port);
                IamClient users = S3Clients.users(access)) {
            names.forEach(bench::awaitBound);
            names.forEach(name -> assertKeyWorksAndIsTheOnlyOne(access, users, name));
            bench.remove(names.toArray(String[]::new));
        }
    }

    private long bound(List<String> names) {
        return bench.claims().stream()
                .filter(claim -> claim.phase() == Phase.BOUND
                        && names.contains(claim.getMetadata().getName()))
                .count();
    }

    /** Parameters of a class whose store is reached at these endpoints. */
    private Map<String, String> parameters(StoreAccess access, String endpoint, String iamEndpoint) {
        return bench.s3Parameters(
                access,
                Map.of(
                        "endpoint",
                        endpoint,
                        "publicEndpoint",
                        access.endpoint(),
                        "iamEndpoint",
                        iamEndpoint,
                        "rotationOverlap",
                        "2s",
                        "onNotEmpty",
                        "purge",
                        "allowedOptions",
                        "anonymousAccess"));
    }

    private void assertKeyWorksAndIsTheOnlyOne(StoreAccess access, IamClient users, String name) {
        // What a late request created is deleted after half a minute.
        Eventually.await("one key of " + name + ", the published one")
                .until(() -> S3Clients.keysOf(users, bench.userOf(name))
                        .equals(List.of(bench.keys(name).getOrDefault("AWS_ACCESS_KEY_ID", ""))));
        String bucket = bench.bucketName(name);
        try (S3Client s3 = S3Clients.client(access.endpoint(), bench.keys(name))) {
            S3Clients.put(s3, bucket, "world");
        }
    }

    private boolean isOpen(HttpClient http, StoreAccess access, String name) throws IOException, InterruptedException {
        String bucket = bench.bucketName(name);
        return http.send(
                                HttpRequest.newBuilder(URI.create(access.endpoint() + "/" + bucket + "/hello"))
                                        .build(),
                                BodyHandlers.discarding())
                        .statusCode()
                == 200;
    }

    /**
     * Stops the leader of two replicas (SIGSTOP) while a certain request to the store passes a proxy, and resumes it when the
     * other one has led for a while.
     */
    private static final class LeaderStops {

        /** One stop: at the first request whose text contains {@code call}. */
        private record Armed(String call, boolean held, CountDownLatch stopped, CountDownLatch passes) {}

        private final BucketFixture bench;
        private final Map<String, ReplicaProcess> replicas;
        private final Map<String, Integer> stops = new TreeMap<>();
        private final AtomicReference<@Nullable Armed> armed = new AtomicReference<>();
        private volatile String stoppedLeader = "";

        LeaderStops(BucketFixture bench, Map<String, ReplicaProcess> replicas, SocketProxy... stores) {
            this.bench = bench;
            this.replicas = replicas;
            for (SocketProxy store : stores) {
                store.onRequest(this::observe);
            }
        }

        /**
         * Stops the leader at the next such request, and resumes it after the other one took over.
         *
         * @param call what the request contains, such as the name of an IAM action
         * @param held whether the request reaches the store only after the other replica leads
         */
        void during(String call, boolean held, Duration patience) throws InterruptedException {
            Armed stop = new Armed(call, held, new CountDownLatch(1), new CountDownLatch(1));
            armed.set(stop);
            boolean met = stop.stopped().await(patience.toMillis(), TimeUnit.MILLISECONDS);
            if (!met && armed.compareAndSet(stop, null)) {
                // No such request now: anywhere then.
                stopLeader();
            } else {
                stop.stopped().await();
            }
            stops.merge(met ? call + (held ? " (late)" : "") : "anywhere", 1, Integer::sum);
            Eventually.await("another leader").until(() -> !leader().equals(stoppedLeader));
            // The other leader works for a moment before the former one resumes: that is what the test is about.
            Thread.sleep(700);
            stop.passes().countDown();
            replica(stoppedLeader).resume();
        }

        /** How often the leader was stopped at which request. */
        Map<String, Integer> stops() {
            return stops;
        }

        String leader() {
            return Optional.ofNullable(bench.admin()
                            .leases()
                            .inNamespace(bench.namespace())
                            .withName(ReplicaProcess.LEASE)
                            .get())
                    .map(lease -> lease.getSpec().getHolderIdentity())
                    .orElse("");
        }

        private void observe(String request) {
            @Nullable Armed stop = armed.get();
            if (stop == null || !request.contains(stop.call()) || !armed.compareAndSet(stop, null)) {
                return;
            }
            stopLeader();
            stop.stopped().countDown();
            if (stop.held()) {
                try {
                    stop.passes().await();
                } catch (InterruptedException e) {
                    Thread.currentThread().interrupt();
                }
            }
        }

        private void stopLeader() {
            stoppedLeader = leader();
            replica(stoppedLeader).stop();
        }

        private ReplicaProcess replica(String identity) {
            return Optional.ofNullable(replicas.get(identity)).orElseThrow();
        }
    }
}
