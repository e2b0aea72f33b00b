package io.bucketwright.cosi.adapter;

import static org.assertj.core.api.Assertions.assertThat;

import io.bucketwright.api.Crds;
import io.bucketwright.api.cosi.BucketAccessRequest;
import io.bucketwright.local.AddOn;
import io.bucketwright.testing.ApiUser;
import io.bucketwright.testing.OnCluster;
import io.bucketwright.testing.TestCluster;
import io.fabric8.kubernetes.api.model.SecretBuilder;
import io.fabric8.kubernetes.api.model.events.v1.Event;
import io.fabric8.kubernetes.api.model.rbac.ClusterRole;
import io.fabric8.kubernetes.api.model.storage.CSIDriver;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientException;
import io.fabric8.kubernetes.client.dsl.PodResource;
import io.fabric8.kubernetes.client.utils.Serialization;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.awaitility.Awaitility;
import org.awaitility.core.ConditionFactory;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.parallel.ResourceAccessMode;
import org.junit.jupiter.api.parallel.ResourceLock;

/** Pods on a real kubelet with a volume of the adapter, which has the rights of the deployed one. */
@OnCluster(with = AddOn.NODE)
@ResourceLock(value = "COSI objects of all namespaces", mode = ResourceAccessMode.READ)
class AdapterIT {

    private static final String POD = """
            apiVersion: v1
            kind: Pod
            metadata: {name: application}
            spec:
              hostNetwork: true
              automountServiceAccountToken: false
              enableServiceLinks: false
              restartPolicy: Never
              terminationGracePeriodSeconds: 0
              securityContext: {runAsUser: 1000, runAsGroup: 1000, fsGroup: 2000}
              containers:
              - name: application
                image: bucketwright.local/busybox:1
                imagePullPolicy: Never
                command: [sh, -c, 'cat /bucket/BucketInfo.json; echo; while true; do echo key=$(cat /bucket/AWS_SECRET_ACCESS_KEY); sleep 1; done']
                volumeMounts: [{name: bucket, mountPath: /bucket, readOnly: true}]
              volumes:
              - name: bucket
                csi:
                  driver: cosi.bucketwright.io
                  nodePublishSecretRef: {name: photos}
                  volumeAttributes: {bucketAccessRequestName: photos}
            """;

    @Test
    void aPodStartsWhenItsAccessIsBoundReadsItsFilesFollowsARotationAndLeavesNothing(TestCluster cluster)
            throws IOException {
        KubernetesClient admin = cluster.admin();
        cluster.install(Crds.cosi());
        ApiUser user = deployed(cluster);
        Path log = Path.of("target", "adapter.log").toAbsolutePath();
        Files.deleteIfExists(log);
        AdapterProcess adapter = AdapterProcess.start(cluster.local(), user, log);
        try {
            awaitRegistered(admin, adapter);
            BucketAccessRequest request = AdapterSamples.createRequest(cluster);
            secret(cluster, "first");
            PodResource pod = cluster.createPod(POD);
            await("kubelet to report why the pod waits")
                    .until(() -> events(cluster)
                            .contains("BucketAccessRequest " + cluster.namespace() + "/photos is Pending"));
            assertThat(pod.require().getStatus().getPhase()).isEqualTo("Pending");

            AdapterSamples.bind(cluster, request);
            await("the pod to run").until(() -> phase(pod).equals("Running"));
            await("its output").until(() -> logs(pod).contains("key=first"));
            assertThat(logs(pod)).contains("\"bucketName\":\"photos-1\"").contains("\"accessSecretKey\":\"first\"");

            secret(cluster, "second");
            await("the rotation").until(() -> logs(pod).contains("key=second"));

            adapter.kill();
            adapter = AdapterProcess.start(cluster.local(), user, log);
            secret(cluster, "third");
            await("a rotation after a crash").until(() -> logs(pod).contains("key=third"));

            String uid = pod.require().getMetadata().getUid();
            Path folder =
                    AdapterProcess.kubelet(cluster.local()).resolve("pods").resolve(uid);
            assertThat(folder).exists();
            pod.withGracePeriod(0).delete();
            await("the node to be clean").until(() -> !Files.exists(folder));
            assertThat(mounts(cluster)).doesNotContain(TmpfsMounts.SOURCE);
            assertThat(Files.readString(log)).doesNotContain("second").doesNotContain("third");
        } finally {
            adapter.close();
            admin.resources(CSIDriver.class).withName(CosiAdapter.DRIVER).delete();
        }
    }

    private static String mounts(TestCluster cluster) throws IOException {
        return Files.readString(Path.of("/proc/" + AdapterProcess.init(cluster.local()) + "/mountinfo"));
    }

    /** A user who may do what the deployed adapter may, and nothing else. */
    private static ApiUser deployed(TestCluster cluster) throws IOException {
        String yaml = Files.readString(Path.of("../deploy/cosi-adapter.yaml"));
        List<String> documents = List.of(yaml.split("\n---\n", -1));
        CSIDriver driver = Serialization.unmarshal(documents.getFirst(), CSIDriver.class);
        cluster.admin().resource(driver).forceConflicts().serverSideApply();
        ClusterRole role = documents.stream()
                .filter(it -> it.contains("kind: ClusterRole\n"))
                .map(it -> Serialization.unmarshal(it, ClusterRole.class))
                .findFirst()
                .orElseThrow();
        return cluster.user("adapter", role.getRules());
    }

    private static void awaitRegistered(KubernetesClient admin, AdapterProcess adapter) {
        await("kubelet to know the adapter")
                .failFast("the adapter has ended", () -> !adapter.alive())
                .until(() -> admin.storage().v1().csiNodes().list().getItems().stream()
                        .flatMap(node -> node.getSpec().getDrivers() == null
                                ? Stream.empty()
                                : node.getSpec().getDrivers().stream())
                        .anyMatch(driver -> driver.getName().equals(CosiAdapter.DRIVER)));
    }

    private static void secret(TestCluster cluster, String key) {
        cluster.admin()
                .resource(new SecretBuilder()
                        .withNewMetadata()
                        .withNamespace(cluster.namespace())
                        .withName("photos")
                        .endMetadata()
                        .withStringData(new HashMap<>(Map.of(
                                "BUCKET_NAME", "photos-1",
                                "BUCKET_ENDPOINT", "http://store.test",
                                "AWS_ACCESS_KEY_ID", "id",
                                "AWS_SECRET_ACCESS_KEY", key)))
                        .build())
                .forceConflicts()
                .serverSideApply();
    }

    private static String phase(PodResource pod) {
        return String.valueOf(pod.require().getStatus().getPhase());
    }

    private static String logs(PodResource pod) {
        try {
            return pod.getLog();
        } catch (KubernetesClientException notYet) {
            return "";
        }
    }

    private static String events(TestCluster cluster) {
        return cluster.events().stream().map(Event::getNote).collect(Collectors.joining("\n"));
    }

    private static ConditionFactory await(String what) {
        return Awaitility.await(what).atMost(Duration.ofMinutes(2)).pollInterval(Duration.ofMillis(250));
    }
}
