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
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.awaitility.Awaitility;
import org.awaitility.core.ConditionFactory;
import org.junit.jupiter.api.Test;

/** Pods on a real kubelet with a volume of the adapter, which has the rights of the deployed one. */
@OnCluster(with = AddOn.NODE)
class AdapterIT {

    /** While the adapter does not run, the kubelet calls it in vain, and then waits for up to two minutes. */
    private static final Duration AFTER_FAILED_CALLS = Duration.ofMinutes(4);

    /** A pod without its containers. */
    private static final String POD = """
            apiVersion: v1
            kind: Pod
            metadata: {name: POD}
            spec:
              hostNetwork: true
              automountServiceAccountToken: false
              enableServiceLinks: false
              restartPolicy: Never
              terminationGracePeriodSeconds: 0
              volumes:
              - name: bucket
                csi:
                  driver: cosi.bucketwright.io
                  readOnly: true
                  nodePublishSecretRef: {name: photos}
                  volumeAttributes: {bucketAccessRequestName: photos}
            """;

    private static final String APPLICATION = POD.replace("POD", "application") + """
              securityContext: {runAsUser: 1000, runAsGroup: 1000, fsGroup: 2000}
              containers:
              - name: application
                image: bucketwright.local/busybox:1
                imagePullPolicy: Never
                command: [sh, -c, 'cat /bucket/BucketInfo.json; echo; while true; do echo key=$(cat /bucket/AWS_SECRET_ACCESS_KEY); sleep 1; done']
                volumeMounts: [{name: bucket, mountPath: /bucket, readOnly: true}]
            """;

    /**
     * A root container that attacks its volume: makes it writable, adds, changes and removes files, makes one huge, and
     * replaces each directory of files that appears with a link to a directory of the node.
     */
    private static final String ATTACK = POD + """
              containers:
              - name: attack
                image: bucketwright.local/busybox:1
                imagePullPolicy: Never
                securityContext: {runAsUser: 0, capabilities: {add: [CAPABILITY]}}
                command:
                - sh
                - -c
                - |
                  cd /bucket
                  try() { if "$@" 2>/dev/null; then echo "done: $*"; else echo "refused: $*"; fi; }
                  try mount -o remount,bind,rw /bucket
                  try touch mine
                  try chmod 0777 .
                  try ln -s VICTIM ..link
                  try rm AWS_ACCESS_KEY_ID
                  try truncate -s 1900M ..data/BUCKET_NAME
                  echo tried
                  while true; do
                    for set in ..????????-*; do
                      [ -d "$set" ] && [ ! -L "$set" ] && mv "$set" ..mine && ln -s VICTIM "$set" && rm -rf ..mine && echo swapped
                    done
                    read -r key < AWS_SECRET_ACCESS_KEY
                    [ "$key" = "$shown" ] || echo "key=$key"
                    shown=$key
                    usleep 5000
                  done 2>/dev/null
                volumeMounts: [{name: bucket, mountPath: /bucket}]
            """;

    @Test
    void aRootContainerCannotChangeItsVolumeAndTheAdapterTouchesNothingOutside(TestCluster cluster) throws IOException {
        cluster.install(Crds.cosi());
        ApiUser user = deployed(cluster);
        Path log = Path.of("target", "attacked-adapter.log").toAbsolutePath();
        Files.deleteIfExists(log);
        Path victim = Files.createDirectory(
                cluster.local().dir().resolve("node").resolve("victim"),
                PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rwx------")));
        try (AdapterProcess adapter = AdapterProcess.start(cluster.local(), user, log)) {
            awaitRegistered(cluster.admin(), adapter);
            AdapterSamples.bind(cluster, AdapterSamples.createRequest(cluster));
            secret(cluster, "first");
            String attack = ATTACK.replace("VICTIM", victim.toString());
            cluster.createPod(attack.replace("POD", "writable")
                    .replace("CAPABILITY", "CHOWN")
                    .replace("readOnly: true", "readOnly: false"));
            PodResource root = cluster.createPod(attack.replace("POD", "root").replace("CAPABILITY", "CHOWN"));
            PodResource admin = cluster.createPod(attack.replace("POD", "admin").replace("CAPABILITY", "SYS_ADMIN"));
            for (PodResource pod : List.of(root, admin)) {
                await("the attack").until(() -> logs(pod).contains("tried\n"));
            }
            assertThat(logs(root)).contains("refused: touch mine").doesNotContain("done: ");
            assertThat(logs(admin)).contains("done: truncate").doesNotContain("refused: ");
            for (int rotation = 1; rotation <= 4; rotation++) {
                String key = "key=rotated-" + rotation;
                secret(cluster, key.substring("key=".length()));
                await(key).until(() -> logs(root).contains(key));
            }
            assertThat(logs(admin)).as("the attack took place").contains("swapped");
            assertThat(logs(root)).doesNotContain("swapped");
            assertThat(victim.toFile().list()).isEmpty();
            assertThat(Files.getPosixFilePermissions(victim)).isEqualTo(PosixFilePermissions.fromString("rwx------"));
            assertThat(events(cluster)).contains("set readOnly: true");
            assertThat(phase(cluster.admin()
                            .pods()
                            .inNamespace(cluster.namespace())
                            .withName("writable")))
                    .isEqualTo("Pending");
            assertThat(adapter.alive()).isTrue();
            assertThat(Files.readString(log)).doesNotContain("OutOfMemory");

            List<Path> folders =
                    Stream.of(root, admin).map(pod -> folder(cluster, pod)).toList();
            cluster.admin()
                    .pods()
                    .inNamespace(cluster.namespace())
                    .withGracePeriod(0)
                    .delete();
            await("the node to be clean").until(() -> folders.stream().noneMatch(Files::exists));
            assertThat(victim).isEmptyDirectory();
            assertThat(mounts(cluster)).doesNotContain(VolumeMounts.SOURCE);
        } finally {
            AdapterSamples.deleteAccess(cluster);
            cluster.admin()
                    .resources(CSIDriver.class)
                    .withName(CosiAdapter.DRIVER)
                    .delete();
            Files.deleteIfExists(victim);
        }
    }

    private static Path folder(TestCluster cluster, PodResource pod) {
        return AdapterProcess.kubelet(cluster.local())
                .resolve("pods")
                .resolve(pod.require().getMetadata().getUid());
    }

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
            PodResource pod = cluster.createPod(APPLICATION);
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
            await("a rotation after a crash")
                    .atMost(AFTER_FAILED_CALLS)
                    .until(() -> logs(pod).contains("key=third"));

            Path folder = folder(cluster, pod);
            assertThat(folder).exists();
            pod.withGracePeriod(0).delete();
            await("the node to be clean").until(() -> !Files.exists(folder));
            assertThat(mounts(cluster)).doesNotContain(VolumeMounts.SOURCE);
            assertThat(Files.readString(log)).doesNotContain("second").doesNotContain("third");
        } finally {
            adapter.close();
            AdapterSamples.deleteAccess(cluster);
            admin.resources(CSIDriver.class).withName(CosiAdapter.DRIVER).delete();
        }
    }

    private static String mounts(TestCluster cluster) throws IOException {
        return Files.readString(Path.of("/proc/" + AdapterProcess.init(cluster.local()) + "/mountinfo"));
    }

    /** A user who may do what the deployed adapter may, and nothing else. */
    private static ApiUser deployed(TestCluster cluster) throws IOException {
        String yaml = Files.readString(Path.of("../../deploy/cosi-adapter.yaml"));
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
