package io.bucketwright.app.chart;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.marcnuri.helm.Helm;
import com.marcnuri.helm.InstallCommand;
import io.bucketwright.api.ObjectBucketClaim;
import io.bucketwright.api.Phase;
import io.bucketwright.app.InstalledCommand;
import io.bucketwright.app.claim.ClaimShell;
import io.bucketwright.app.doctor.DoctorCommand;
import io.bucketwright.testing.ApiUser;
import io.bucketwright.testing.Eventually;
import io.bucketwright.testing.OnCluster;
import io.bucketwright.testing.TestCluster;
import io.fabric8.kubernetes.api.model.apps.Deployment;
import io.fabric8.kubernetes.client.utils.Serialization;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Two releases in one namespace, as docs/install.md says, with the processes that their Deployments would run. */
@OnCluster(own = true, workloads = true)
class TwoReleasesIT {

    private static final String FIRST = "bucketwright";
    private static final String SECOND = "bucketwright-azure";
    private static final String OTHER = "azure.example.com/bucket";

    @TempDir
    private Path folder;

    @Test
    void bothAreServedAndEachHasItsLease(TestCluster cluster) throws Exception {
        install(cluster, FIRST, Map.of());
        String refusal = "exists and cannot be imported into the current release";
        assertThatThrownBy(() -> install(cluster, SECOND, Map.of("cosi.enabled", "false")))
                .hasMessageContaining("CustomResourceDefinition")
                .hasMessageContaining(refusal);
        assertThatThrownBy(() -> install(cluster, SECOND, Map.of("crds.buckets", "skip", "crds.objectstorage", "skip")))
                .hasMessageContaining("bucketwright-bucketclaims")
                .hasMessageContaining(refusal);
        install(cluster, SECOND, documented());

        storageClass(cluster, "first", "bucketwright.io/bucket");
        storageClass(cluster, "second", OTHER);
        try (InstalledCommand first = controller(cluster, FIRST)) {
            try (InstalledCommand second = controller(cluster, SECOND)) {
                bind(cluster, "first");
                bind(cluster, "second");
                assertThat(leases(cluster))
                        .containsEntry("bucketwright-buckets", "bucketwright.io/bucket of bucketwright")
                        .containsValue(OTHER + " of " + SECOND)
                        .hasSize(2);
                assertDoctorIsContent(cluster);
                assertThat(second.err()).doesNotContainIgnoringCase("forbidden");
            }
            assertThat(first.err()).doesNotContainIgnoringCase("forbidden");
        }
        assertDoctorFindsThatNoPodIsReady(cluster);
        assertDoctorKnowsTheServedNamespace(cluster);
        // Whoever starts first does not take what the other one serves.
        try (InstalledCommand _ = controller(cluster, SECOND);
                InstalledCommand _ = controller(cluster, FIRST)) {
            bind(cluster, "first");
            bind(cluster, "second");
        }
    }

    /** The flags of the command on the page. */
    private static Map<String, String> documented() throws IOException {
        String page = Files.readString(Path.of("../../docs/install.md"));
        String section = page.substring(page.indexOf("### A second kind of store"));
        String command = section.substring(0, section.indexOf("Its classes have"));
        Map<String, String> values = new LinkedHashMap<>();
        Matcher set = Pattern.compile("--set ([A-Za-z.]+)=(\\S+)").matcher(command);
        while (set.find()) {
            values.put(set.group(1), set.group(2));
        }
        assertThat(command).contains("helm install " + SECOND + " ");
        assertThat(values).containsEntry("buckets.provisioner", OTHER).containsEntry("buckets.store", "azure");
        return values;
    }

    private static void install(TestCluster cluster, String release, Map<String, String> values) {
        InstallCommand command = new Helm(RenderedChart.CHART)
                .install()
                .withName(release)
                .withNamespace(cluster.namespace())
                .withKubeConfig(cluster.local().kubeconfig());
        values.forEach(command::set);
        // No pods: there is no image. No store: the kind does not matter here.
        command.set("defaults.replicas", 0).set("buckets.store", "none").call();
    }

    /** Runs what the Deployment would run, with its service account. */
    private InstalledCommand controller(TestCluster cluster, String release) {
        Deployment deployment = cluster.admin()
                .apps()
                .deployments()
                .inNamespace(cluster.namespace())
                .withName(release + "-buckets")
                .get();
        String name = release + "-" + System.nanoTime();
        ApiUser user = InstalledCommand.serviceAccount(
                cluster, cluster.namespace(), release + "-buckets", folder.resolve(name + ".kubeconfig"));
        List<String> arguments = deployment
                .getSpec()
                .getTemplate()
                .getSpec()
                .getContainers()
                .getFirst()
                .getArgs();
        String[] all = Stream.concat(
                        arguments.stream().filter(argument -> !argument.startsWith("--listen")),
                        Stream.of("--listen=127.0.0.1:0", "--lease-duration=15s", "--kubeconfig=" + user.kubeconfig()))
                .toArray(String[]::new);
        return InstalledCommand.start(folder, name, Map.of("BUCKETWRIGHT_RELEASE", release), List.of(), all)
                .awaitStarted();
    }

    private static void storageClass(TestCluster cluster, String name, String provisioner) {
        cluster.admin().resource("""
                        apiVersion: storage.k8s.io/v1
                        kind: StorageClass
                        metadata: {name: %s}
                        provisioner: %s
                        """.formatted(name, provisioner)).create();
    }

    private static void bind(TestCluster cluster, String storageClass) {
        String name = storageClass + "-" + Long.toString(System.nanoTime(), 36);
        ObjectBucketClaim claim = Serialization.unmarshal(
                """
                apiVersion: objectbucket.io/v1alpha1
                kind: ObjectBucketClaim
                metadata: {name: %s, namespace: %s}
                spec: {storageClassName: %s, generateBucketName: photos}
                """.formatted(name, cluster.namespace(), storageClass), ObjectBucketClaim.class);
        cluster.admin().resource(claim).create();
        Eventually.await(name + " to be Bound")
                .until(() -> cluster.admin().resource(claim).get().phase() == Phase.BOUND);
    }

    /** What each Lease serves, and its release. */
    private static Map<String, String> leases(TestCluster cluster) {
        Map<String, String> found = new LinkedHashMap<>();
        cluster.admin()
                .leases()
                .inNamespace(cluster.namespace())
                .withLabel("bucketwright.io/release")
                .list()
                .getItems()
                .forEach(lease -> found.put(
                        lease.getMetadata().getName(),
                        lease.getMetadata().getAnnotations().get("bucketwright.io/serves") + " of "
                                + lease.getMetadata().getLabels().get("bucketwright.io/release")));
        return found;
    }

    /** There is no image. */
    private static void assertDoctorFindsThatNoPodIsReady(TestCluster cluster) {
        String name = SECOND + "-buckets";
        cluster.admin()
                .apps()
                .deployments()
                .inNamespace(cluster.namespace())
                .withName(name)
                .scale(1);
        ClaimShell doctor = new ClaimShell(cluster.local().kubeconfig());
        assertThat(doctor.run(new DoctorCommand(), "--only=leaders")).isEqualTo(1);
        assertThat(doctor.out().replaceAll("\\s+", " "))
                .contains("NoPodReady: Deployment " + cluster.namespace() + "/" + name, "0 of 1 pods are ready");
    }

    /** The chart binds its permissions in that namespace only. The claims of another one may be checked. */
    private static void assertDoctorKnowsTheServedNamespace(TestCluster cluster) {
        install(
                cluster,
                "bucketwright-team",
                Map.of(
                        "watchNamespace", cluster.namespace(),
                        "buckets.provisioner", "team.example.com/bucket",
                        "podClaims.enabled", "true",
                        "orphans.enabled", "false",
                        "cosi.enabled", "false",
                        "crds.buckets", "skip",
                        "crds.objectstorage", "skip"));
        for (String namespace : List.of("--stuck-after=0s", "--namespace=default")) {
            ClaimShell doctor = new ClaimShell(
                    cluster.local().kubeconfig(), "--controller-namespace=" + cluster.namespace(), namespace);
            doctor.succeeds(new DoctorCommand(), "--only=permissions");
        }
        cluster.admin()
                .rbac()
                .roleBindings()
                .inNamespace(cluster.namespace())
                .withName("bucketwright-team-buckets-namespaced")
                .delete();
        ClaimShell doctor =
                new ClaimShell(cluster.local().kubeconfig(), "--controller-namespace=" + cluster.namespace());
        assertThat(doctor.run(new DoctorCommand(), "--only=permissions")).isEqualTo(1);
        assertThat(doctor.out())
                .contains("PermissionMissing")
                .contains("bucketwright-team-buckets")
                .doesNotContain("bucketwright-team-pod-claims");
    }

    private static void assertDoctorIsContent(TestCluster cluster) {
        ClaimShell doctor = new ClaimShell(
                cluster.local().kubeconfig(), "--controller-namespace=" + cluster.namespace(), "--stuck-after=0s");
        doctor.succeeds(new DoctorCommand(), "--only=crds,leaders,permissions,classes,claims,orphans");
    }
}
