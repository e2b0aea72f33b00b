package io.bucketwright.app.scenarios;

import static org.assertj.core.api.Assertions.assertThat;

import io.bucketwright.local.AddOn;
import io.bucketwright.runtime.engine.ControllerProcess;
import io.bucketwright.testing.OnCluster;
import io.bucketwright.testing.TestCluster;
import io.fabric8.kubernetes.api.model.ContainerStateWaiting;
import io.fabric8.kubernetes.api.model.ContainerStatus;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.client.dsl.PodResource;
import java.nio.file.Path;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** An application on a real kubelet, deployed together with its claim. */
@OnCluster(with = AddOn.NODE)
class PodIT {

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
          containers:
          - name: application
            image: bucketwright.local/busybox:1
            imagePullPolicy: Never
            command: [sh, -c, 'echo "bucket=$BUCKET_NAME host=$BUCKET_HOST id=$AWS_ACCESS_KEY_ID"']
            envFrom:
            - configMapRef: {name: photos}
            - secretRef: {name: photos}
        """;

    @TempDir
    private Path temporary;

    @Test
    void aPodWaitsUntilItsClaimIsBoundThenStartsWithTheBucketInItsEnvironment(TestCluster cluster) {
        try (Scenario scenario = Scenario.of(cluster, temporary)) {
            String storageClass = scenario.storageClass("s3", scenario.s3Parameters());
            scenario.claim("photos", Scenario.newBucket(storageClass));
            PodResource pod = cluster.createPod(POD);
            Scenario.await("the pod to wait for its configuration")
                    .until(() -> waitsFor(pod.require()).equals("CreateContainerConfigError"));
            assertThat(scenario.claims()).hasSize(1);
            try (ControllerProcess _ = scenario.provisioner(scenario.account())) {
                scenario.awaitBound("photos");
                Scenario.await("the pod to have run")
                        .until(() ->
                                "Succeeded".equals(pod.require().getStatus().getPhase()));
                assertThat(pod.getLog().strip())
                        .isEqualTo("bucket=%s host=127.0.0.1 id=%s"
                                .formatted(
                                        scenario.bucket("photos"),
                                        scenario.keys("photos").get("AWS_ACCESS_KEY_ID")));
                pod.withGracePeriod(0).delete();
                scenario.deleteAll();
                scenario.assertNothingIsLeft();
            }
        }
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
