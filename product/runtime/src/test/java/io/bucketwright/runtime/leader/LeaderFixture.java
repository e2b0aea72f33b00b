package io.bucketwright.runtime.leader;

import io.bucketwright.local.LocalCluster;
import io.bucketwright.local.server.Component;
import io.bucketwright.testing.ApiUser;
import io.bucketwright.testing.AuditLog;
import io.bucketwright.testing.Clients;
import io.bucketwright.testing.RequestCounts;
import io.bucketwright.testing.SmallClusters;
import io.fabric8.kubernetes.api.model.ConfigMapBuilder;
import io.fabric8.kubernetes.api.model.NamespaceBuilder;
import io.fabric8.kubernetes.api.model.coordination.v1.LeaseSpec;
import io.fabric8.kubernetes.client.KubernetesClient;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.awaitility.Awaitility;
import org.awaitility.core.ConditionFactory;
import org.junit.jupiter.api.extension.AfterAllCallback;
import org.junit.jupiter.api.extension.AfterEachCallback;
import org.junit.jupiter.api.extension.BeforeEachCallback;
import org.junit.jupiter.api.extension.ExtensionContext;

/** A cluster in which candidates for one lease write to a journal. Each test has a lease of its own. */
final class LeaderFixture implements BeforeEachCallback, AfterEachCallback, AfterAllCallback {

    static final Duration LEASE = JournalProcess.TIMING.lease();

    private final LocalCluster cluster = SmallClusters.builder(List.of()).start();
    private final KubernetesClient admin = Clients.of(cluster.kubeconfig());
    private final List<Candidate> candidates = new ArrayList<>();
    private String namespace = "";
    private int tests;

    /** A new lease and an empty journal. */
    @Override
    public void beforeEach(ExtensionContext context) {
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

    @Override
    public void afterEach(ExtensionContext context) {
        candidates.forEach(Candidate::close);
        candidates.clear();
    }

    @Override
    public void afterAll(ExtensionContext context) {
        admin.close();
        cluster.close();
    }

    void stopApiServer() {
        cluster.stop(Component.KUBE_APISERVER);
    }

    void startApiServer() {
        cluster.start(Component.KUBE_APISERVER);
    }

    static ConditionFactory await() {
        return Awaitility.await().atMost(LEASE.multipliedBy(20));
    }

    private Candidate start(String identity) {
        Candidate candidate =
                Candidate.start(cluster.kubeconfigFor(user(identity), "system:masters"), namespace, identity);
        candidates.add(candidate);
        return candidate;
    }

    Candidate startLeader(String identity) {
        Candidate leader = start(identity);
        awaitWrites(leader, 20);
        return leader;
    }

    Candidate startFollower(String identity) {
        Candidate follower = start(identity);
        awaitCandidate(follower);
        return follower;
    }

    private String user(String identity) {
        return identity + "-" + namespace;
    }

    void awaitWrites(Candidate candidate, int count) {
        await().until(() -> {
            Journal journal = journal();
            return journal.last().equals(candidate.identity())
                    && journal.entries().getLast().count() >= count;
        });
    }

    /** Until it has read the lease at least once since it was started or resumed. */
    void awaitCandidate(Candidate candidate) {
        int before = leaseRequests(candidate).size();
        await().until(() -> leaseRequests(candidate).size() > before);
    }

    private List<String> leaseRequests(Candidate candidate) {
        return AuditLog.of(cluster.auditLog()).lines(user(candidate.identity())).stream()
                .filter(line -> line.contains("\"resource\":\"leases\""))
                .toList();
    }

    /** When the API server received the last renewal that it carried out. */
    Instant lastRenewal(Candidate candidate) {
        Pattern received = Pattern.compile("\"requestReceivedTimestamp\":\"([^\"]+)\"");
        return leaseRequests(candidate).stream()
                .filter(line -> line.contains("\"verb\":\"update\"") && line.contains("\"code\":200"))
                .map(received::matcher)
                .filter(Matcher::find)
                .map(match -> Instant.parse(match.group(1)))
                .max(Comparator.naturalOrder())
                .orElseThrow();
    }

    RequestCounts requests(Candidate candidate) {
        String user = user(candidate.identity());
        ApiUser apiUser = new ApiUser(user, cluster.kubeconfigFor(user, "system:masters"));
        return AuditLog.of(cluster.auditLog()).requests(apiUser);
    }

    Journal journal() {
        return Journal.of(
                admin.configMaps().inNamespace(namespace).withName(Journal.NAME).get());
    }

    LeaseSpec lease() {
        return admin.leases()
                .inNamespace(namespace)
                .withName(JournalProcess.LEASE)
                .get()
                .getSpec();
    }
}
