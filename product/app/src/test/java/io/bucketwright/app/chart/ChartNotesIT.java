package io.bucketwright.app.chart;

import static org.assertj.core.api.Assertions.assertThat;

import com.marcnuri.helm.Helm;
import io.bucketwright.api.Crds;
import io.bucketwright.api.ObjectBucketClaim;
import io.bucketwright.app.claim.ClaimShell;
import io.bucketwright.app.doctor.DoctorCommand;
import io.bucketwright.testing.OnCluster;
import io.bucketwright.testing.TestCluster;
import io.fabric8.kubernetes.client.utils.Serialization;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The commands that the chart prints after an install, pasted into a shell as they are. */
@OnCluster
class ChartNotesIT {

    @TempDir
    private Path folder;

    @ParameterizedTest
    @ValueSource(strings = {"s3", "azure", "gcs", "none"})
    void theCommandsCanBePasted(String store, TestCluster cluster) throws Exception {
        cluster.install(Crds.objectBuckets());
        String namespace = cluster.namespace();
        String provisioner = namespace + ".example.com/bucket";
        List<String> notes = notes(cluster, store, provisioner).lines().toList();
        int end = notes.indexOf("EOF");
        String script = notes.subList(0, end + 1).stream()
                .dropWhile(line -> !line.startsWith("kubectl "))
                .collect(Collectors.joining("\n", "set -eu\n", "\n"));

        Path commands = Files.writeString(folder.resolve("commands"), script);
        ProcessBuilder shell = new ProcessBuilder("bash", commands.toString()).redirectErrorStream(true);
        shell.environment().put("PATH", cluster.local().kubectl().getParent() + ":" + System.getenv("PATH"));
        shell.environment().put("KUBECONFIG", cluster.local().kubeconfig().toString());
        for (String variable : List.of(
                "AWS_ACCESS_KEY_ID", "AWS_SECRET_ACCESS_KEY", "AZURE_STORAGE_KEY", "GOOGLE_SERVICE_ACCOUNT_JSON")) {
            shell.environment().put(variable, "c2VjcmV0");
        }
        Process process = shell.start();
        String output = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        try {
            assertThat(process.waitFor()).as(script + output).isZero();
            assertThat(cluster.admin()
                            .resources(ObjectBucketClaim.class)
                            .inNamespace(namespace)
                            .withName("photos")
                            .get())
                    .isNotNull();
            assertThat(notes).contains("kubectl wait --for=condition=Ready objectbucketclaim/photos -n " + namespace);

            ClaimShell doctor = new ClaimShell(cluster.local().kubeconfig());
            int _ = doctor.run(
                    new DoctorCommand(), "--only=classes", "--provisioner=" + provisioner, "--store=" + store);
            assertThat(doctor.out()).contains("buckets-" + store).doesNotContain("InvalidClass");
        } finally {
            cluster.admin()
                    .storage()
                    .v1()
                    .storageClasses()
                    .withName("buckets-" + store)
                    .delete();
        }
    }

    private String notes(TestCluster cluster, String store, String provisioner) throws Exception {
        Path values = Files.writeString(
                folder.resolve("values.json"),
                Serialization.asJson(Map.of(
                        "watchNamespace",
                        cluster.namespace(),
                        "buckets",
                        Map.of("store", store, "provisioner", provisioner))));
        String output = new Helm(RenderedChart.CHART)
                .install()
                .withName(RenderedChart.RELEASE)
                .withNamespace(cluster.namespace())
                .withKubeVersion(RenderedChart.KUBERNETES)
                .clientOnly()
                .dryRun()
                .withValuesFile(values)
                .call()
                .getOutput();
        return output.substring(output.indexOf("1. Check the installation"));
    }
}
