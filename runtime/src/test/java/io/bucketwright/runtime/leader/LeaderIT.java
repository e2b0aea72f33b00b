package io.bucketwright.runtime.leader;

import static org.assertj.core.api.Assertions.assertThat;

import io.bucketwright.local.Component;
import io.bucketwright.local.LocalCluster;
import io.bucketwright.testing.ApiUser;
import io.bucketwright.testing.AuditLog;
import io.bucketwright.testing.RequestCounts;
import io.bucketwright.testing.SmallClusters;
import io.fabric8.kubernetes.api.model.ConfigMapBuilder;
import io.fabric8.kubernetes.api.model.NamespaceBuilder;
import io.fabric8.kubernetes.api.model.coordination.v1.LeaseSpec;
import io.fabric8.kubernetes.client.Config;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientBuilder;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.time.Duration;
import java.time.Instant;
import java.time.ZonedDateTime;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.awaitility.Awaitility;
import org.awaitility.core.ConditionFactory;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;

/**
 * Two processes, one lease, and all faults between them. The journal shows in which order their writes
 * took effect: no writer may appear in it again after another one has written, unless it was elected anew.
 */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
@Order(1)
class LeaderIT {

    private static final Duration LEASE = JournalProcess.TIMING.lease();

    private final LocalCluster cluster = SmallClusters.builder(List.of()).start();
    private final KubernetesClient admin = admin();
    private final List<Candidate> candidates = new ArrayList<>();
    private String namespace = "";
    private int tests;

    @BeforeEach
    void prepare() {
        namespace = "leader-" + ++tests;
        admin.resource(new NamespaceBuilder()
                        .withNewMetadata()
                        .withName(namespace)
                        .endMetadata()
                        .build())
                .create();
        admin.resource(new ConfigMapBuilder()
                        .withNewMetadata()
                        .withNamespace(namespace)
                        .withName(Journal.NAME)
                        .endMetadata()
                        .build())
                .create();
    }

    @AfterEach
    void endProcesses() {
        candidates.forEach(Candidate::close);
        candidates.clear();
    }

    @AfterAll
    void end() {
        admin.close();
        cluster.close();
    }

    @Test
    void whenTheLeaderIsKilledTheOtherTakesOver() {
        Candidate first = startLeader("a");
        Candidate second = startFollower("b");
        first.kill();
        ZonedDateTime lastRenewal = lease().getRenewTime();
        awaitWrites(second, 20);
        assertThat(journal().writers()).as("%s", journal()).containsExactly("a@0", "b@1");
        assertTakenOverAfterOneLease(lastRenewal);
    }

    @Test
    void aLeaderThatWasStoppedPastItsLeaseChangesNothingWhenItResumes() {
        Candidate stopped = startLeader("a");
        Candidate other = startFollower("b");
        List<String> expected = new ArrayList<>(List.of("a@0"));
        for (int term = 1; term <= 4; term++) {
            stopped.freeze();
            awaitWrites(other, 20);
            expected.add(other.identity() + "@" + term);
            RequestCounts before = requests(stopped);
            int written = journal().total();
            stopped.thaw();
            Awaitility.await().until(() -> journal().total() > written + 50);
            assertThat(journal().writers()).as("%s", journal()).containsExactlyElementsOf(expected);
            RequestCounts after = requests(stopped).since(before);
            assertThat(after.count(request -> request.verb().equals("patch") && request.code() < 300))
                    .as("writes of the old leader that took effect: %s", after)
                    .isZero();
            assertThat(after.writes()).as("writes of the old leader: %s", after).isLessThanOrEqualTo(1);
            awaitCandidate(stopped);
            Candidate next = stopped;
            stopped = other;
            other = next;
        }
    }

    @Test
    void anOutageOfTheApiServerEndsLeadershipBeforeTheLeaseDoes() {
        Candidate first = startLeader("a");
        Candidate second = startFollower("b");
        cluster.stop(Component.KUBE_APISERVER);
        // The process must know by itself: no server can notify it.
        await().until(() -> !first.leads());
        assertThat(second.leads()).isFalse();
        assertThat(first.since()).isBefore(lastRenewal(first).plus(LEASE));
        cluster.start(Component.KUBE_APISERVER);
        int written = journal().total();
        await().until(() -> journal().total() > written + 20);
        assertThat(journal().writers()).as("%s", journal()).doesNotHaveDuplicates();
        assertThat(first.leads()).isNotEqualTo(second.leads());
    }

    @Test
    void aTerminatedLeaderReleasesTheLeaseAndTheOtherNeedNotWaitForIt() {
        Candidate first = startLeader("a");
        first.terminate();
        LeaseSpec released = lease();
        assertThat(released.getHolderIdentity()).isNull();
        int written = journal().total();
        startLeader("b");
        assertThat(journal().writers()).containsExactly("a@0", "b@1");
        assertThat(journal().entries().getFirst().count())
                .as("writes after the release")
                .isEqualTo(written);
        assertThat(requests(first).count(request -> request.code() >= 400)).isZero();
    }

    private static ConditionFactory await() {
        return Awaitility.await().atMost(LEASE.multipliedBy(20));
    }

    /** From the old leader's last renewal to the new one's first: never before the lease was over, and soon after. */
    private void assertTakenOverAfterOneLease(ZonedDateTime lastRenewal) {
        Duration taken = Duration.between(lastRenewal, lease().getAcquireTime());
        assertThat(taken).isBetween(LEASE, LEASE.multipliedBy(2));
    }

    private Candidate start(String identity) {
        Candidate candidate =
                Candidate.start(cluster.kubeconfigFor(user(identity), "system:masters"), namespace, identity);
        candidates.add(candidate);
        return candidate;
    }

    private Candidate startLeader(String identity) {
        Candidate leader = start(identity);
        awaitWrites(leader, 20);
        return leader;
    }

    private Candidate startFollower(String identity) {
        Candidate follower = start(identity);
        awaitCandidate(follower);
        return follower;
    }

    private String user(String identity) {
        return identity + "-" + namespace;
    }

    private void awaitWrites(Candidate candidate, int count) {
        await().until(() -> {
            Journal journal = journal();
            return journal.last().equals(candidate.identity())
                    && journal.entries().getLast().count() >= count;
        });
    }

    /** Until it has read the lease at least once since it was started or resumed. */
    private void awaitCandidate(Candidate candidate) {
        int before = leaseRequests(candidate).size();
        await().until(() -> leaseRequests(candidate).size() > before);
    }

    private List<String> leaseRequests(Candidate candidate) {
        return AuditLog.of(cluster.auditLog()).lines(user(candidate.identity())).stream()
                .filter(line -> line.contains("\"resource\":\"leases\""))
                .toList();
    }

    /** When the API server received the last renewal that it carried out. */
    private Instant lastRenewal(Candidate candidate) {
        Pattern received = Pattern.compile("\"requestReceivedTimestamp\":\"([^\"]+)\"");
        return leaseRequests(candidate).stream()
                .filter(line -> line.contains("\"verb\":\"update\"") && line.contains("\"code\":200"))
                .map(received::matcher)
                .filter(Matcher::find)
                .map(match -> Instant.parse(match.group(1)))
                .max(Comparator.naturalOrder())
                .orElseThrow();
    }

    private RequestCounts requests(Candidate candidate) {
        String user = user(candidate.identity());
        ApiUser apiUser = new ApiUser(user, cluster.kubeconfigFor(user, "system:masters"));
        return AuditLog.of(cluster.auditLog()).requests(apiUser);
    }

    private Journal journal() {
        return Journal.of(
                admin.configMaps().inNamespace(namespace).withName(Journal.NAME).get());
    }

    private LeaseSpec lease() {
        return admin.leases()
                .inNamespace(namespace)
                .withName(JournalProcess.LEASE)
                .get()
                .getSpec();
    }

    private KubernetesClient admin() {
        try {
            Config config = Config.fromKubeconfig(Files.readString(cluster.kubeconfig()));
            return new KubernetesClientBuilder().withConfig(config).build();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
