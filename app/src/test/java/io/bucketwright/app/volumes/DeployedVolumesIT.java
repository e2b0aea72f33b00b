package io.bucketwright.app.volumes;

import static org.assertj.core.api.Assertions.assertThat;

import io.bucketwright.testing.OnCluster;
import io.bucketwright.testing.TestCluster;
import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.api.model.PersistentVolume;
import io.fabric8.kubernetes.api.model.authentication.TokenRequestBuilder;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientException;
import java.io.FileInputStream;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.awaitility.Awaitility;
import org.awaitility.core.ConditionFactory;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.api.parallel.ResourceLock;

/** The installed commands as 003 calls them, with the rights of deploy/volumes-rbac.yaml and no others. */
@OnCluster
@ResourceLock("pod claims of all namespaces")
class DeployedVolumesIT {

    private static final Pattern PORT = Pattern.compile("\"port\":\\s*\"?(\\d+)");

    @TempDir
    private Path temporary;

    @Test
    void aPodsClaimIsMadeAndItsVolumeReleasedByTheTwoCommands(TestCluster cluster) throws Exception {
        run(
                cluster,
                List.of(
                        command(
                                "bucketwright-pod-claims",
                                "pvc-provisioner",
                                "-namespace",
                                cluster.namespace(),
                                "-v=4"),
                        command("bucketwright-releaser", "pv-releaser", "-logtostderr", "-vmodule", "x=1")));
        assertThat(log("pv-releaser")).contains("-vmodule").doesNotContain("Ignoring -logtostderr");
    }

    @Test
    void theSameInOneProcessOfBothRoles(TestCluster cluster) throws Exception {
        apply(cluster);
        // One process needs the rights of both roles.
        List<HasMetadata> rights = Stream.of(BOTH.split("---\n", -1))
                .map(yaml -> cluster.admin()
                        .resource(yaml.replace("NAME", cluster.namespace()))
                        .create())
                .toList();
        try {
            runAsOne(cluster);
        } finally {
            rights.forEach(right -> cluster.admin().resource(right).delete());
        }
    }

    private void runAsOne(TestCluster cluster) throws Exception {
        run(
                cluster,
                List.of(List.of(
                        "bucketwright-pod-claims",
                        "controller",
                        "--only=pod-claims,releaser",
                        "--controller-id=installed",
                        "--namespace=" + cluster.namespace(),
                        "--lease-namespace=bucketwright",
                        "--lease-duration=3s")));
    }

    private static List<String> command(String account, String name, String... more) {
        List<String> words = new ArrayList<>(List.of(
                account,
                name,
                "-controller-id",
                "installed",
                "-lease-lock-name",
                name,
                "-lease-lock-namespace",
                "bucketwright",
                "--lease-duration=3s"));
        words.addAll(List.of(more));
        return words;
    }

    private void run(TestCluster cluster, List<List<String>> commands) throws Exception {
        KubernetesClient admin = cluster.admin();
        apply(cluster);
        List<Process> processes = new ArrayList<>();
        List<HasMetadata> made = new ArrayList<>();
        String name = cluster.namespace();
        try {
            for (List<String> command : commands) {
                processes.add(start(cluster, command.getFirst(), command.subList(1, command.size())));
            }
            for (String yaml : List.of(CLASS, VOLUME)) {
                made.add(admin.resource(yaml.replace("NAME", name)).create());
            }
            await("the pod").until(() -> isCreated(cluster, POD.replace("NAME", name)));
            await("the volume to be associated")
                    .until(() -> !labels(admin, name).isEmpty());
            assertThat(labels(admin, name))
                    .isEqualTo(Map.of("reclaimable-pv-releaser.kubernetes.io/managed-by", "installed"));
            admin.pods().inNamespace(name).withName("web").withGracePeriod(0).delete();
            await("the volume to be free").until(() -> {
                PersistentVolume volume =
                        admin.persistentVolumes().withName(name).require();
                return volume.getSpec().getClaimRef() == null
                        && "Available".equals(volume.getStatus().getPhase());
            });
            for (List<String> command : commands) {
                assertThat(metrics(command.get(1)).lines())
                        .anyMatch(line -> line.matches("bucketwright_leader\\{.*} 1\\.0"))
                        .anyMatch(line -> line.matches("bucketwright_api_requests_total\\{.*code=\"200\".*} [1-9].*"))
                        .noneMatch(line -> line.contains("code=\"403\""));
            }
        } finally {
            processes.forEach(Process::destroy);
            made.forEach(object -> admin.resource(object).delete());
        }
        for (Process process : processes) {
            assertThat(process.waitFor(30, TimeUnit.SECONDS)).isTrue();
        }
        for (List<String> command : commands) {
            assertThat(log(command.get(1))).contains("Started").doesNotContain("ERROR");
        }
        assertThat(admin.leases().inNamespace("bucketwright").list().getItems())
                .filteredOn(lease ->
                        !String.valueOf(lease.getSpec().getHolderIdentity()).isEmpty())
                .filteredOn(lease -> lease.getSpec().getHolderIdentity() != null)
                .isEmpty();
    }

    private static void apply(TestCluster cluster) throws IOException {
        try (FileInputStream rbac = new FileInputStream("../deploy/volumes-rbac.yaml")) {
            cluster.admin().load(rbac).forceConflicts().serverSideApply();
        }
    }

    private Process start(TestCluster cluster, String account, List<String> arguments) throws IOException {
        String token = cluster.admin()
                .serviceAccounts()
                .inNamespace("bucketwright")
                .withName(account)
                .tokenRequest(new TokenRequestBuilder()
                        .withNewSpec()
                        .withExpirationSeconds(3600L)
                        .endSpec()
                        .build())
                .getStatus()
                .getToken();
        String kubeconfig = Files.readString(cluster.local().kubeconfig())
                .replaceAll("(?s)client-certificate-data: \\S+\\s+client-key-data: \\S+", "token: " + token);
        Path file = Files.writeString(temporary.resolve(account), kubeconfig);
        List<String> words = new ArrayList<>(List.of("target/dist/bin/bucketwright"));
        words.addAll(arguments);
        words.addAll(List.of("-kubeconfig", file.toString(), "--log-format=json"));
        ProcessBuilder builder = new ProcessBuilder(words)
                .redirectErrorStream(true)
                .redirectOutput(temporary.resolve(arguments.getFirst() + ".log").toFile());
        builder.environment().put("JAVA_HOME", System.getProperty("java.home"));
        Process process = builder.start();
        await(arguments.getFirst() + " to start")
                .until(() -> log(arguments.getFirst()).contains("Started") || !process.isAlive());
        assertThat(process.isAlive()).as(() -> "it ended").isTrue();
        return process;
    }

    private static boolean isCreated(TestCluster cluster, String pod) {
        try {
            cluster.admin().resource(pod).create();
            return true;
        } catch (KubernetesClientException noServiceAccountYet) {
            assertThat(noServiceAccountYet.getCode()).isEqualTo(403);
            return false;
        }
    }

    private static Map<String, String> labels(KubernetesClient admin, String volume) {
        Map<String, String> labels = admin.persistentVolumes()
                .withName(volume)
                .require()
                .getMetadata()
                .getLabels();
        return labels == null ? Map.of() : labels;
    }

    private String log(String command) throws IOException {
        return Files.readString(temporary.resolve(command + ".log"));
    }

    private String metrics(String command) throws Exception {
        Matcher port = PORT.matcher(log(command));
        assertThat(port.find()).isTrue();
        try (var client = HttpClient.newHttpClient()) {
            return client.send(
                            HttpRequest.newBuilder(URI.create("http://127.0.0.1:" + port.group(1) + "/metrics"))
                                    .build(),
                            HttpResponse.BodyHandlers.ofString())
                    .body();
        }
    }

    private static ConditionFactory await(String what) {
        return Awaitility.await(what).atMost(Duration.ofSeconds(90)).pollInterval(Duration.ofMillis(200));
    }

    private static final String BOTH = """
            apiVersion: rbac.authorization.k8s.io/v1
            kind: ClusterRoleBinding
            metadata: {name: NAME}
            roleRef: {apiGroup: rbac.authorization.k8s.io, kind: ClusterRole, name: bucketwright-releaser}
            subjects: [{kind: ServiceAccount, name: bucketwright-pod-claims, namespace: bucketwright}]
            ---
            apiVersion: rbac.authorization.k8s.io/v1
            kind: RoleBinding
            metadata: {name: NAME, namespace: default}
            roleRef: {apiGroup: rbac.authorization.k8s.io, kind: Role, name: bucketwright-releaser-events}
            subjects: [{kind: ServiceAccount, name: bucketwright-pod-claims, namespace: bucketwright}]
            """;

    private static final String CLASS = """
            apiVersion: storage.k8s.io/v1
            kind: StorageClass
            metadata: {name: NAME}
            provisioner: kubernetes.io/no-provisioner
            """;

    private static final String VOLUME = """
            apiVersion: v1
            kind: PersistentVolume
            metadata: {name: NAME}
            spec:
              storageClassName: NAME
              capacity: {storage: 1Gi}
              accessModes: [ReadWriteOnce]
              persistentVolumeReclaimPolicy: Retain
              hostPath: {path: /tmp/bucketwright-nothing}
            """;

    private static final String POD = """
            apiVersion: v1
            kind: Pod
            metadata:
              name: web
              namespace: NAME
              annotations:
                dynamic-pvc-provisioner.kubernetes.io/data.enabled: "true"
                dynamic-pvc-provisioner.kubernetes.io/data.pvc: |
                  apiVersion: v1
                  kind: PersistentVolumeClaim
                  spec:
                    storageClassName: NAME
                    resources:
                      requests:
                        storage: 1Gi
                    accessModes:
                      - ReadWriteOnce
            spec:
              nodeSelector: {bucketwright.io/none: "true"}
              terminationGracePeriodSeconds: 0
              volumes:
              - name: data
                persistentVolumeClaim: {claimName: cache}
              containers:
              - name: web
                image: bucketwright.local/none
                volumeMounts: [{name: data, mountPath: /data}]
            """;
}
