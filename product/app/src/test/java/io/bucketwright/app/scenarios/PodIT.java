package io.bucketwright.app.scenarios;

import static org.assertj.core.api.Assertions.assertThat;

import io.bucketwright.local.AddOn;
import io.bucketwright.testing.OnCluster;
import io.bucketwright.testing.TestCluster;
import io.fabric8.kubernetes.api.model.ContainerStateWaiting;
import io.fabric8.kubernetes.api.model.ContainerStatus;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.client.dsl.PodResource;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** An application on a real kubelet, deployed together with its claim. */
@OnCluster(with = AddOn.NODE)
class PodIT extends ScenarioTestBase {

    private static final String POD = new ShellPod(
                    "application", "echo \"bucket=$BUCKET_NAME host=$BUCKET_HOST id=$AWS_ACCESS_KEY_ID\"")
            .yaml("", "hostNetwork: true", "envFrom: [{configMapRef: {name: photos}}, {secretRef: {name: photos}}]");

    @Test
    void aPodWaitsUntilItsClaimIsBoundThenStartsWithTheBucketInItsEnvironment(TestCluster cluster) {
        String storageClass = scenario.s3Class("s3");
        scenario.claim("photos", Scenario.newBucket(storageClass));
        PodResource pod = cluster.createPod(POD);
        Scenario.await("the pod to wait for its configuration")
                .until(() -> waitsFor(pod.require()).equals("CreateContainerConfigError"));
        assertThat(scenario.claims()).hasSize(1);
        scenario.serve();
        scenario.awaitBound("photos");
        Scenario.await("the pod to have run")
                .until(() -> "Succeeded".equals(pod.require().getStatus().getPhase()));
        assertThat(pod.getLog().strip())
                .isEqualTo("bucket=%s host=127.0.0.1 id=%s"
                        .formatted(
                                scenario.bucket("photos"),
                                scenario.keys("photos").get("AWS_ACCESS_KEY_ID")));
        pod.withGracePeriod(0).delete();
        scenario.assertAllCanBeDeleted();
    }

    private static String waitsFor(Pod pod) {
        return pod.getStatus().getContainerStatuses().stream()
                .map(ContainerStatus::getState)
                .flatMap(state -> Optional.ofNullable(state.getWaiting()).stream())
                .map(ContainerStateWaiting::getReason)
                .findFirst()
                .orElse("");
    }
}
