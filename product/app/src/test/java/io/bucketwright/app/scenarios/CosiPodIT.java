package io.bucketwright.app.scenarios;

import static org.assertj.core.api.Assertions.assertThat;

import io.bucketwright.local.AddOn;
import io.bucketwright.local.stores.LocalStore;
import io.bucketwright.testing.OnCluster;
import io.bucketwright.testing.TestCluster;
import io.fabric8.kubernetes.api.model.Event;
import io.fabric8.kubernetes.client.dsl.PodResource;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.api.parallel.ResourceLock;

/** A pod that has its bucket by COSI as files: all four processes, a real kubelet and a real store. */
@OnCluster(with = AddOn.NODE)
@ResourceLock(CosiCommands.LOCK)
@Order(5)
class CosiPodIT {

    private static final String POD = new ShellPod(
                    "application",
                    "for f in BUCKET_NAME BUCKET_ENDPOINT AWS_ACCESS_KEY_ID AWS_SECRET_ACCESS_KEY; do"
                            + " echo \"$f=$(cat /bucket/$f)\"; done; sleep 600")
            .yaml("", """
                securityContext: {runAsUser: 1000, runAsGroup: 1000, fsGroup: 2000}
                volumes:
                - name: bucket
                  csi:
                    driver: cosi.bucketwright.io
                    readOnly: true
                    nodePublishSecretRef: {name: photos}
                    volumeAttributes: {bucketAccessRequestName: photos}
                """, "volumeMounts: [{name: bucket, mountPath: /bucket, readOnly: true}]");

    @TempDir
    private Path folder;

    @Test
    void aPodStartsWhenItsAccessIsBoundAndWhatItReadsOpensItsBucket(TestCluster cluster) throws Exception {
        String namespace = cluster.namespace();
        try (LocalStore store = LocalStore.start();
                StoreView view = new StoreView(store.access());
                CosiCommands cosi = new CosiCommands(cluster, store.access(), folder)) {
            cosi.start();
            cosi.startAdapter();
            PodResource pod = cluster.createPod(POD);
            Scenario.await("kubelet to report that the Secret does not exist yet")
                    .until(() -> mountFailures(cluster)
                            .anyMatch(message -> message.contains("secrets \"photos\" not found")));
            assertThat(pod.require().getStatus().getPhase()).isEqualTo("Pending");

            apply(cosi, "classes", """
                apiVersion: cosi.io/v1alpha1
                kind: BucketClass
                metadata: {name: %1$s}
                provisioner: %2$s
                protocol: s3
                releasePolicy: Delete
                ---
                apiVersion: cosi.io/v1alpha1
                kind: BucketAccessClass
                metadata: {name: %1$s}
                provisioner: %2$s
                protocol: s3
                """.formatted(namespace, CosiCommands.PROVISIONER));
            apply(cosi, "requests", """
                apiVersion: cosi.io/v1alpha1
                kind: BucketRequest
                metadata: {name: photos, namespace: %1$s}
                spec: {protocol: s3, bucketClassName: %1$s}
                ---
                apiVersion: cosi.io/v1alpha1
                kind: BucketAccessRequest
                metadata: {name: photos, namespace: %1$s}
                spec: {bucketRequestName: photos, bucketAccessClassName: %1$s, accessSecretName: photos}
                """.formatted(namespace));
            Scenario.await("the pod to run")
                    .until(() -> "Running".equals(pod.require().getStatus().getPhase()));
            Scenario.await("its output").until(() -> pod.getLog().contains("AWS_SECRET_ACCESS_KEY="));
            Map<String, String> read = pod.getLog()
                    .lines()
                    .map(line -> line.split("=", 2))
                    .collect(Collectors.toMap(pair -> pair[0], pair -> pair[1]));
            assertThat(StoreView.works(read, read)).isTrue();

            Path left = cluster.local()
                    .dir()
                    .resolve("node/kubelet/pods")
                    .resolve(pod.require().getMetadata().getUid());
            assertThat(left).exists();
            pod.withGracePeriod(0).delete();
            Scenario.await("the node to be clean").until(() -> !Files.exists(left));
            cosi.kubectl("delete", "bucketaccessrequest", "photos", "--namespace=" + namespace);
            assertThat(StoreView.works(read, read)).isFalse();
            assertThat(view.buckets())
                    .as("the bucket is there, only the access is not")
                    .contains(read.getOrDefault("BUCKET_NAME", "?"));
            cosi.kubectl("delete", "bucketrequest", "photos", "--namespace=" + namespace);
            assertThat(view.buckets()).isEmpty();
            assertThat(cosi.logs()).doesNotContain(read.getOrDefault("AWS_SECRET_ACCESS_KEY", "?"));
            cosi.kubectl("delete", "-f", folder.resolve("classes.yaml").toString());
        }
    }

    private void apply(CosiCommands cosi, String name, String yaml) throws Exception {
        cosi.kubectl(
                "apply",
                "-f",
                Files.writeString(folder.resolve(name + ".yaml"), yaml).toString());
    }

    /** The messages of kubelet's events about the pod's volume. */
    private static Stream<String> mountFailures(TestCluster cluster) {
        return cluster.admin().v1().events().inNamespace(cluster.namespace()).list().getItems().stream()
                .filter(event -> event.getReason().equals("FailedMount"))
                .filter(event -> event.getInvolvedObject().getName().equals("application"))
                .map(Event::getMessage)
                .filter(message -> message.contains("volume \"bucket\""));
    }
}
