package io.bucketwright.volumes.directories;

import static io.bucketwright.testing.Eventually.await;
import static org.assertj.core.api.Assertions.assertThat;

import io.bucketwright.runtime.engine.ControllerProcess;
import java.io.IOException;
import java.io.InputStream;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.time.Duration;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** The metrics; §3.1 has the names that existing dashboards use. */
class MetricsIT extends DirectoryTestBase {

    @Test
    void provisioningDeletionUsageAndSpaceAreReported() throws Exception {
        String storageClass = bench.storageClass("new", Map.of());
        bench.claim("before", storageClass);
        try (ControllerProcess _ = bench.provisioner()) {
            bench.awaitBound("before");
            Files.write(bench.directory("before").resolve("file"), new byte[50_000]);
        }
        ControllerProcess provisioner = bench.provisioner(builder -> builder.usageInterval(Duration.ofMillis(500)));
        bench.claim("photos", storageClass);
        bench.claim("deleted", storageClass);
        bench.claim("wrong", storageClass, claim -> claim.getSpec().setVolumeMode("Block"));
        bench.awaitBound("photos");
        bench.awaitBound("deleted");
        bench.awaitEvent("wrong", "ProvisioningFailed");
        bench.delete("deleted");
        bench.awaitDeleted("deleted");
        Files.write(bench.directory("photos").resolve("file"), new byte[1_000_000]);
        String labels = "{class=\"" + storageClass + "\",source=\"\"}";
        await("the usage of a new volume")
                .until(() -> value(provisioner, "bucketwright_directory_used_bytes", "claim=\"photos\"") > 1_000_000);
        await("the usage of an older volume")
                .until(() -> value(provisioner, "bucketwright_directory_used_bytes", "claim=\"before\"") >= 50_000);
        // The counter is incremented after the response of the write that the test sees.
        await("the deletion to be counted")
                .until(() ->
                        value(provisioner, "controller_persistentvolume_delete_total", "class=\"" + storageClass) == 1);
        String metrics = metrics(provisioner);
        assertThat(metrics)
                .contains("controller_persistentvolumeclaim_provision_total" + labels + " 2.0")
                .contains("controller_persistentvolumeclaim_provision_failed_total" + labels + " 1.0")
                .contains("controller_persistentvolumeclaim_provision_duration_seconds_bucket")
                .contains("controller_persistentvolumeclaim_provision_duration_seconds_count" + labels + " 2")
                .contains("controller_persistentvolume_delete_total{class=\"" + storageClass + "\"} 1.0")
                .contains("controller_persistentvolume_delete_duration_seconds_count");
        assertThat(value(provisioner, "bucketwright_root_free_bytes", "")).isPositive();
        assertThat(value(provisioner, "bucketwright_root_total_bytes", "")).isPositive();
        assertThat(value(provisioner, "bucketwright_root_requested_bytes", "")).isEqualTo(2 * 10 * 1024 * 1024);
        assertThat(value(provisioner, "bucketwright_root_open", "")).isEqualTo(1);
        assertThat(metrics).doesNotContain("claim=\"deleted\"");
    }

    private static double value(ControllerProcess provisioner, String name, String label) throws IOException {
        return metrics(provisioner)
                .lines()
                .filter(line -> line.startsWith(name + "{") && line.contains(label))
                .mapToDouble(line -> Double.parseDouble(line.substring(line.lastIndexOf(' ') + 1)))
                .findFirst()
                .orElse(-1);
    }

    private static String metrics(ControllerProcess provisioner) throws IOException {
        try (InputStream in = URI.create("http://127.0.0.1:" + provisioner.port() + "/metrics")
                .toURL()
                .openStream()) {
            return new String(in.readAllBytes(), StandardCharsets.UTF_8);
        }
    }
}
