package io.bucketwright.devtools.image;

import static java.util.stream.Collectors.joining;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.marcnuri.helm.Helm;
import io.bucketwright.api.Crds;
import io.bucketwright.api.ObjectBucketClaim;
import io.bucketwright.api.Phase;
import io.bucketwright.api.objectstorage.ReleasedBucketAccess;
import io.bucketwright.app.ProcessEndpoint;
import io.bucketwright.app.claim.ClaimShell;
import io.bucketwright.app.scenarios.Scenario;
import io.bucketwright.app.scenarios.ShellPod;
import io.bucketwright.app.scenarios.StoreView;
import io.bucketwright.local.AddOn;
import io.bucketwright.local.process.Ports;
import io.bucketwright.local.server.Component;
import io.bucketwright.local.stores.LocalStore;
import io.bucketwright.local.stores.StoreAccess;
import io.bucketwright.testing.OnCluster;
import io.bucketwright.testing.TestCluster;
import io.fabric8.kubernetes.api.model.ConfigMap;
import io.fabric8.kubernetes.api.model.Container;
import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.api.model.Secret;
import io.fabric8.kubernetes.api.model.SecretBuilder;
import io.fabric8.kubernetes.api.model.apiextensions.v1.CustomResourceDefinition;
import io.fabric8.kubernetes.api.model.apps.DaemonSet;
import io.fabric8.kubernetes.api.model.apps.Deployment;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientException;
import io.fabric8.kubernetes.client.dsl.PodResource;
import io.fabric8.kubernetes.client.readiness.Readiness;
import io.fabric8.kubernetes.client.utils.Serialization;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.FutureTask;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;

/** The chart on a node: pods from our image serve every kind of claim, are upgraded, and leave the buckets behind. */
@OnCluster(with = AddOn.NODE, own = true)
@ExtendWith(SharedImage.Provider.class)
@Order(1)
class InstalledChartIT {

    private static final String RELEASE = "bucketwright";
    private static final Path CHART = Path.of("../../deploy/helm/bucketwright");
    private static final String OLDER = "example.com/older";

    @TempDir
    private Path folder;

    private final Set<Integer> ports = new HashSet<>();
    private int driverPort;

    @Test
    void everyRoleWorksIsUpgradedAndLeavesTheBucketsBehind(TestCluster cluster, SharedImage image) throws Exception {
        cluster.local().importImage(image.archive());
        cluster.createNamespace(RELEASE);
        try (LocalStore store = LocalStore.start();
                StoreView view = new StoreView(store.access())) {
            administratorSecret(cluster, store.access());
            Map<String, Object> values = values(cluster, store.access());
            new Helm(olderChart())
                    .install()
                    .withName(RELEASE)
                    .withNamespace(RELEASE)
                    .withKubeConfig(cluster.local().kubeconfig())
                    .withValuesFile(write("older.json", withAnnotation(values)))
                    .call();
            awaitReady(cluster, "0.0.9");
            apply(cluster, classes(store.access()));

            ObjectBucketClaim kept = claim(cluster, "kept");
            awaitBound(cluster, kept);
            view.put(bucket(cluster, kept), "hello", "world");
            claimOfCosi(cluster);
            podClaimOnADirectory(cluster);
            assertThat(defaultStatus(cluster)).isNull();
            // What doctor advises for an outdated CRD, while claims exist.
            Crds.objectBuckets()
                    .forEach(crd -> cluster.admin()
                            .resource(crd)
                            .fieldManager("bucketwright")
                            .forceConflicts()
                            .serverSideApply());

            Path newer = write("newer.json", values);
            List<ObjectBucketClaim> during = claimsDuring(cluster, () -> {
                new Helm(CHART)
                        .upgrade()
                        .withName(RELEASE)
                        .withNamespace(RELEASE)
                        .withKubeConfig(cluster.local().kubeconfig())
                        .withValuesFile(newer)
                        .call();
                awaitReady(cluster, "0.1.0");
            });
            assertThat(cluster.admin().pods().inNamespace(RELEASE).list().getItems())
                    .noneMatch(pod -> pod.getMetadata().getAnnotations().containsKey(OLDER));
            assertThat(defaultStatus(cluster)).as("the upgrade of a CRD").isNotNull();
            assertKept(cluster, view, kept);
            requestOfCosiWithAPod(cluster);
            credentialsOfCosiAreRotated(cluster);
            driverHasMetrics();

            Helm.uninstall(RELEASE)
                    .withNamespace(RELEASE)
                    .withKubeConfig(cluster.local().kubeconfig())
                    .call();
            Scenario.await("the pods to end")
                    .until(() -> cluster.admin()
                            .pods()
                            .inNamespace(RELEASE)
                            .list()
                            .getItems()
                            .isEmpty());
            assertKept(cluster, view, kept);
            assertThat(view.buckets()).hasSize(during.size() + 3);
            assertThat(cluster.admin()
                            .resources(ObjectBucketClaim.class)
                            .inNamespace(cluster.namespace())
                            .list()
                            .getItems())
                    .hasSize(during.size() + 1)
                    .allSatisfy(claim -> assertThat(claim.phase()).isEqualTo(Phase.BOUND));
            assertThat(StoreView.works(
                            cluster.object(ConfigMap.class, "kept").require().getData(),
                            TestCluster.decoded(
                                    cluster.object(Secret.class, "kept").require())))
                    .isTrue();
        }
    }

    /** The CRDs, the claim itself, its bucket and the object in it. */
    private static void assertKept(TestCluster cluster, StoreView view, ObjectBucketClaim claim) {
        assertThat(Crds.objectBuckets()).allSatisfy(crd -> {
            CustomResourceDefinition found = cluster.admin()
                    .apiextensions()
                    .v1()
                    .customResourceDefinitions()
                    .withName(crd.getMetadata().getName())
                    .require();
            assertThat(found.getMetadata().getDeletionTimestamp()).isNull();
            assertThat(found.getMetadata().getAnnotations()).containsEntry("helm.sh/resource-policy", "keep");
        });
        ObjectBucketClaim found = current(cluster, claim);
        assertThat(found.getMetadata().getUid()).isEqualTo(claim.getMetadata().getUid());
        assertThat(found.phase()).isEqualTo(Phase.BOUND);
        assertThat(view.text(bucket(cluster, found), "hello")).isEqualTo("world");
    }

    /** Waits until all workloads have that version of the chart, and no pods but ready ones of it. */
    private static void awaitReady(TestCluster cluster, String version) {
        Scenario.await("pods of version " + version)
                .atMost(Duration.ofMinutes(4))
                .until(() -> {
                    List<Deployment> deployments = cluster.admin()
                            .apps()
                            .deployments()
                            .inNamespace(RELEASE)
                            .list()
                            .getItems();
                    List<DaemonSet> daemonSets = cluster.admin()
                            .apps()
                            .daemonSets()
                            .inNamespace(RELEASE)
                            .list()
                            .getItems();
                    return deployments.size() == 8
                            && daemonSets.size() == 1
                            && Stream.concat(deployments.stream(), daemonSets.stream())
                                    .allMatch(workload -> ("bucketwright-" + version)
                                            .equals(workload.getMetadata()
                                                    .getLabels()
                                                    .get("helm.sh/chart")))
                            && deployments.stream().allMatch(Readiness.getInstance()::isReady)
                            && deployments.stream()
                                    .allMatch(deployment -> Objects.equals(
                                                    1, deployment.getStatus().getUpdatedReplicas())
                                            && Objects.equals(
                                                    1, deployment.getStatus().getReplicas())
                                            && Objects.equals(
                                                    deployment.getMetadata().getGeneration(),
                                                    deployment.getStatus().getObservedGeneration()))
                            && daemonSets.stream()
                                    .allMatch(set -> Objects.equals(
                                                    1, set.getStatus().getUpdatedNumberScheduled())
                                            && Objects.equals(1, set.getStatus().getNumberReady()));
                });
    }

    /**
     * There is no earlier release: the chart of commit b486ceb9, before drivers had metrics and BucketAccesses a default
     * status, packaged as version 0.0.9, with the permission to read the cluster id, because the image is that of today.
     * Replace it with the first release.
     */
    private Path olderChart() throws IOException {
        Path target = folder.resolve("bucketwright-0.0.9.tgz");
        try (InputStream chart = Objects.requireNonNull(
                InstalledChartIT.class.getResourceAsStream(target.getFileName().toString()))) {
            Files.copy(chart, target);
        }
        return target;
    }

    /** On the network of the node, because API server and store are on the machine's loopback device. */
    private Map<String, Object> values(TestCluster cluster, StoreAccess store) throws IOException {
        Map<String, Object> values = new HashMap<>();
        values.put("image", Map.of("pullPolicy", "Never"));
        values.put(
                "defaults",
                Map.of(
                        "hostNetwork",
                        true,
                        "extraEnv",
                        List.of(
                                Map.of("name", "KUBERNETES_SERVICE_HOST", "value", "127.0.0.1"),
                                Map.of(
                                        "name",
                                        "KUBERNETES_SERVICE_PORT",
                                        "value",
                                        Integer.toString(cluster.local().port(Component.KUBE_APISERVER))))));
        for (String role : List.of("buckets", "orphans", "podClaims", "releaser")) {
            values.put(role, Map.of("enabled", true, "port", freePort()));
        }
        // The node adapter needs cosi.io.
        values.put("cosi", Map.of("api", "all", "port", freePort()));
        values.put(
                "adapter",
                Map.of(
                        "enabled",
                        true,
                        "port",
                        freePort(),
                        "kubeletDir",
                        cluster.local().dir().resolve("node/kubelet").toString()));
        values.put(
                "drivers",
                List.of(
                        driver(store, Map.of("name", "s3.example.com", "namespaces", List.of(cluster.namespace()))),
                        driver(store, Map.of("name", "s3", "api", "cosi.io", "mode", "containers"))));
        values.put(
                "directories",
                List.of(Map.of(
                        "name",
                        "shared",
                        "port",
                        freePort(),
                        "roots",
                        List.of(Map.of("path", "/volumes", "volume", Map.of("hostPath", Map.of("path", root())))))));
        return values;
    }

    /** The label of the chart is not on pods: an annotation that the upgrade removes replaces all of them. */
    private static Map<String, Object> withAnnotation(Map<String, Object> values) {
        Map<String, Object> older = new HashMap<>(values);
        older.compute("defaults", (_, defaults) -> {
            Map<Object, Object> annotated = new HashMap<>((Map<?, ?>) Objects.requireNonNull(defaults));
            annotated.put("podAnnotations", Map.of(OLDER, "true"));
            return annotated;
        });
        // It bound each driver in all namespaces.
        older.compute(
                "drivers",
                (_, drivers) -> ((List<?>) Objects.requireNonNull(drivers))
                        .stream()
                                .map(driver -> {
                                    Map<Object, Object> unbound = new HashMap<>((Map<?, ?>) driver);
                                    unbound.remove("namespaces");
                                    return unbound;
                                })
                                .toList());
        return older;
    }

    private Path write(String name, Map<String, Object> values) throws IOException {
        return Files.writeString(folder.resolve(name), Serialization.asJson(values));
    }

    private static @Nullable JsonNode defaultStatus(TestCluster cluster) {
        return Objects.requireNonNull(cluster.admin()
                        .apiextensions()
                        .v1()
                        .customResourceDefinitions()
                        .withName("bucketaccesses.cosi.io")
                        .require()
                        .getSpec()
                        .getVersions()
                        .getFirst()
                        .getSchema()
                        .getOpenAPIV3Schema()
                        .getProperties()
                        .get("status"))
                .getDefault();
    }

    private Map<String, Object> driver(StoreAccess store, Map<String, Object> more) {
        Map<String, Object> driver = new HashMap<>(more);
        // The last one is the driver in a container of its own.
        driverPort = freePort();
        driver.put("port", driverPort);
        driver.put("credentialsSecret", "store-administrator");
        driver.put(
                "parameters",
                Map.of("endpoint", store.endpoint(), "iamEndpoint", store.iamEndpoint(), "region", store.region()));
        return driver;
    }

    private String root() throws IOException {
        return Files.createDirectories(folder.resolve("volumes")).toString();
    }

    /**
     * A free port whose successor is free, too: a driver in a container of its own has that one. No outgoing connection gets
     * one of them before the pod listens.
     */
    private int freePort() {
        while (true) {
            int port = Ports.choose(null);
            if (Ports.choose(port + 1) == port + 1 && ports.add(port) && ports.add(port + 1)) {
                return port;
            }
        }
    }

    /** The driver is a container of its own beside its sidecar. */
    private void driverHasMetrics() throws Exception {
        assertThat(new ProcessEndpoint(driverPort + 1).get("/metrics").body())
                .contains("bucketwright_store_calls_seconds_count{operation=\"provision\",result=\"ok\"");
    }

    private static void administratorSecret(TestCluster cluster, StoreAccess store) {
        cluster.admin()
                .resource(new SecretBuilder()
                        .withNewMetadata()
                        .withNamespace(RELEASE)
                        .withName("store-administrator")
                        .endMetadata()
                        .addToStringData("AWS_ACCESS_KEY_ID", store.accessKeyId())
                        .addToStringData("AWS_SECRET_ACCESS_KEY", store.secretAccessKey())
                        .build())
                .create();
    }

    private String classes(StoreAccess store) throws IOException {
        return """
            apiVersion: storage.k8s.io/v1
            kind: StorageClass
            metadata: {name: buckets}
            provisioner: bucketwright.io/bucket
            reclaimPolicy: Delete
            parameters:
              endpoint: %1$s
              iamEndpoint: %2$s
              region: %3$s
              secretName: store-administrator
              secretNamespace: bucketwright
            ---
            apiVersion: storage.k8s.io/v1
            kind: StorageClass
            metadata: {name: directories}
            provisioner: bucketwright.io/directory
            parameters: {assetRoot: "%4$s", defaultOwnerAssetUid: "1000", defaultOwnerAssetGid: "1000"}
            ---
            apiVersion: objectstorage.k8s.io/v1alpha1
            kind: BucketClass
            metadata: {name: released}
            driverName: s3.example.com
            deletionPolicy: Delete
            ---
            apiVersion: objectstorage.k8s.io/v1alpha1
            kind: BucketAccessClass
            metadata: {name: released}
            driverName: s3.example.com
            authenticationType: Key
            ---
            apiVersion: cosi.io/v1alpha1
            kind: BucketClass
            metadata: {name: cosi}
            provisioner: bucketwright/s3
            protocol: s3
            releasePolicy: Delete
            ---
            apiVersion: cosi.io/v1alpha1
            kind: BucketAccessClass
            metadata: {name: cosi}
            provisioner: bucketwright/s3
            protocol: s3
            """.formatted(store.endpoint(), store.iamEndpoint(), store.region(), root());
    }

    private static void claimOfCosi(TestCluster cluster) {
        apply(cluster, """
            apiVersion: objectstorage.k8s.io/v1alpha1
            kind: BucketClaim
            metadata: {name: archive, namespace: %1$s}
            spec: {bucketClassName: released, protocols: [S3]}
            ---
            apiVersion: objectstorage.k8s.io/v1alpha1
            kind: BucketAccess
            metadata: {name: archive, namespace: %1$s}
            spec:
              bucketClaimName: archive
              bucketAccessClassName: released
              credentialsSecretName: archive
              protocol: S3
            """.formatted(cluster.namespace()));
        var access = cluster.object(ReleasedBucketAccess.class, "archive");
        Scenario.await("the BucketAccess to be granted")
                .until(() -> access.require().status().accessGranted());
        assertThat(bucketInfo(cluster)).contains("accessKeyID");
    }

    private static void credentialsOfCosiAreRotated(TestCluster cluster) {
        String former = bucketInfo(cluster);
        ClaimShell shell = new ClaimShell(cluster.local().kubeconfig(), "--namespace=" + cluster.namespace());
        assertThat(shell.run("rotate", "bucketaccess/archive", "--wait"))
                .as(shell.out() + shell.err())
                .isZero();
        assertThat(bucketInfo(cluster)).contains("accessKeyID").isNotEqualTo(former);
    }

    private static String bucketInfo(TestCluster cluster) {
        return TestCluster.decoded(cluster.object(Secret.class, "archive").require())
                .getOrDefault("BucketInfo", "");
    }

    private static void requestOfCosiWithAPod(TestCluster cluster) throws Exception {
        apply(cluster, """
            apiVersion: cosi.io/v1alpha1
            kind: BucketRequest
            metadata: {name: photos, namespace: %1$s}
            spec: {protocol: s3, bucketClassName: cosi}
            ---
            apiVersion: cosi.io/v1alpha1
            kind: BucketAccessRequest
            metadata: {name: photos, namespace: %1$s}
            spec: {bucketRequestName: photos, bucketAccessClassName: cosi, accessSecretName: photos}
            """.formatted(cluster.namespace()));
        PodResource pod = cluster.createPod(pod("cosi", "cat /data/BUCKET_NAME", "", """
            csi:
                driver: cosi.bucketwright.io
                readOnly: true
                nodePublishSecretRef: {name: photos}
                volumeAttributes: {bucketAccessRequestName: photos}
            """));
        awaitSucceeded(pod);
        assertThat(pod.getLog().strip())
                .isEqualTo(TestCluster.decoded(
                                cluster.object(Secret.class, "photos").require())
                        .get("BUCKET_NAME"));
    }

    private static void podClaimOnADirectory(TestCluster cluster) {
        PodResource pod = cluster.createPod(pod(
                "build",
                "stat -c %u /data; touch /data/file && ls /data",
                """
                annotations:
                    dynamic-pvc-provisioner.kubernetes.io/data.enabled: "true"
                    dynamic-pvc-provisioner.kubernetes.io/data.pvc: |
                      apiVersion: v1
                      kind: PersistentVolumeClaim
                      spec:
                        storageClassName: directories
                        resources: {requests: {storage: 1Gi}}
                        accessModes: [ReadWriteOnce]
                """,
                "persistentVolumeClaim: {claimName: build-cache}\n"));
        awaitSucceeded(pod);
        assertThat(pod.getLog().lines()).containsExactly("1000", "file");
    }

    /** A pod of user 1000 that runs a shell command with one volume at /data. */
    private static String pod(String name, String command, String annotations, String volume) {
        return new ShellPod(name, command)
                .yaml(annotations, """
                securityContext: {runAsUser: 1000, runAsGroup: 1000, fsGroup: 2000}
                volumes:
                - name: data
                """ + volume.indent(2), "volumeMounts: [{name: data, mountPath: /data}]");
    }

    private static void awaitSucceeded(PodResource pod) {
        Scenario.await("the pod to have run")
                .until(() -> pod.require().getStatus().getPhase().matches("Succeeded|Failed"));
        assertThat(pod.require().getStatus().getPhase()).as(pod.getLog()).isEqualTo("Succeeded");
    }

    /** Creates a claim after another while something runs. */
    private static List<ObjectBucketClaim> claimsDuring(TestCluster cluster, Runnable action) throws Exception {
        ConcurrentLinkedQueue<ObjectBucketClaim> created = new ConcurrentLinkedQueue<>();
        AtomicBoolean over = new AtomicBoolean();
        FutureTask<Void> tenant = new FutureTask<>(
                () -> {
                    for (int number = 0; !over.get() || number < 3; number++) {
                        ObjectBucketClaim claim = claim(cluster, "during-" + number);
                        awaitBound(cluster, claim);
                        created.add(claim);
                    }
                },
                null);
        Thread.ofVirtual().start(tenant);
        try {
            action.run();
        } finally {
            over.set(true);
        }
        try {
            tenant.get();
        } catch (ExecutionException e) {
            throw new AssertionError(state(cluster), e.getCause());
        }
        assertThat(created).hasSizeGreaterThanOrEqualTo(3);
        return new ArrayList<>(created);
    }

    /** What explains a claim that is not Bound: the claims that are not, and the end of each pod's log. */
    private static String state(TestCluster cluster) {
        String claims =
                cluster
                        .admin()
                        .resources(ObjectBucketClaim.class)
                        .inNamespace(cluster.namespace())
                        .list()
                        .getItems()
                        .stream()
                        .filter(claim -> claim.phase() != Phase.BOUND)
                        .map(Serialization::asYaml)
                        .collect(joining());
        String logs = cluster.admin()
                .pods()
                .inNamespace(RELEASE)
                .resources()
                .flatMap(pod -> pod.require().getSpec().getContainers().stream().map(container -> log(pod, container)))
                .collect(joining("\n"));
        return claims + logs;
    }

    private static String log(PodResource pod, Container container) {
        String name = pod.require().getMetadata().getName() + "/" + container.getName();
        try {
            return "%s: %s%n%s"
                    .formatted(
                            name,
                            pod.require().getStatus().getPhase(),
                            pod.inContainer(container.getName())
                                    .tailingLines(40)
                                    .getLog());
        } catch (KubernetesClientException e) {
            // The container has not started, or the pod was replaced meanwhile.
            return name + ": " + e.getMessage();
        }
    }

    private static ObjectBucketClaim claim(TestCluster cluster, String name) {
        return cluster.admin()
                .resource(Serialization.unmarshal(
                        """
                    apiVersion: objectbucket.io/v1alpha1
                    kind: ObjectBucketClaim
                    metadata: {name: %s, namespace: %s}
                    spec: {storageClassName: buckets, generateBucketName: %s}
                    """.formatted(name, cluster.namespace(), name), ObjectBucketClaim.class))
                .create();
    }

    private static void awaitBound(TestCluster cluster, HasMetadata claim) {
        Scenario.await("claim " + claim.getMetadata().getName() + " to be Bound")
                .until(() -> current(cluster, claim).phase() == Phase.BOUND);
    }

    private static ObjectBucketClaim current(TestCluster cluster, HasMetadata claim) {
        return cluster.object(ObjectBucketClaim.class, claim.getMetadata().getName())
                .require();
    }

    private static String bucket(TestCluster cluster, HasMetadata claim) {
        return cluster.object(ConfigMap.class, claim.getMetadata().getName())
                .require()
                .getData()
                .getOrDefault("BUCKET_NAME", "");
    }

    private static void apply(TestCluster cluster, String yaml) {
        KubernetesClient admin = cluster.admin();
        try (ByteArrayInputStream stream = new ByteArrayInputStream(yaml.getBytes(StandardCharsets.UTF_8))) {
            admin.load(stream).serverSideApply();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
