package io.bucketwright.app.scenarios;

import static org.assertj.core.api.Assertions.assertThat;

import io.bucketwright.api.ObjectBucket;
import io.bucketwright.app.InstalledCommand;
import io.bucketwright.testing.TestCluster;
import io.fabric8.kubernetes.api.model.events.v1.Event;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.utils.Serialization;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.parallel.ResourceLock;

/** The installed command with the rights of deploy/rbac.yaml and no others, on a real store. */
@ResourceLock("provisioner bucketwright.io/bucket")
class DeployedControllerIT extends ScenarioTestBase {

    @Test
    void bindsAndReleasesAsItsServiceAccountAndNoSecretLeaks(TestCluster cluster) throws Exception {
        KubernetesClient admin = cluster.admin();
        String storageClass = scenario.storageClass("s3", scenario.s3Parameters(Map.of()), "bucketwright.io/bucket");
        try (InstalledCommand controller = InstalledCommand.controller(
                cluster,
                folder,
                "bucketwright-buckets",
                "controller",
                "--only=buckets",
                "--lease-namespace=bucketwright")) {
            scenario.bind("photos", Scenario.newBucket(storageClass));
            List<String> secrets = List.of(
                    scenario.access().secretAccessKey(),
                    scenario.keys("photos").getOrDefault("AWS_SECRET_ACCESS_KEY", ""));
            assertThat(secrets).allMatch(value -> value.length() > 15);
            String metrics = controller.metrics();
            assertThat(metrics).contains("bucketwright_api_requests_total");
            String everything = controller.err()
                    + metrics
                    + Serialization.asJson(scenario.get("photos"))
                    + Serialization.asJson(admin.resources(ObjectBucket.class).list())
                    + Serialization.asJson(
                            admin.configMaps().inNamespace(cluster.namespace()).list())
                    + Serialization.asJson(
                            admin.resources(Event.class).inAnyNamespace().list());
            assertThat(secrets).noneMatch(everything::contains);

            scenario.delete("photos");
            assertThat(controller.err()).doesNotContainIgnoringCase("forbidden").doesNotContain("ERROR");
        }
        InstalledCommand.assertReleased(cluster, "bucketwright-buckets");
    }

    @Test
    void bothRolesRunAsTheAccountForBoth(TestCluster cluster) throws Exception {
        String storageClass = scenario.storageClass("both", scenario.s3Parameters(Map.of()), "bucketwright.io/bucket");
        try (InstalledCommand controller = InstalledCommand.controller(
                cluster,
                folder,
                "bucketwright-objectbuckets",
                "controller",
                "--only=buckets,orphans",
                "--lease-namespace=bucketwright")) {
            scenario.bind("videos", Scenario.newBucket(storageClass));
            scenario.delete("videos");
            assertThat(controller.err()).doesNotContainIgnoringCase("forbidden").doesNotContain("ERROR");
        }
        InstalledCommand.assertReleased(cluster, "bucketwright-buckets");
        InstalledCommand.assertReleased(cluster, "bucketwright-orphans");
    }
}
