package io.bucketwright.volumes.directories;

import static io.bucketwright.testing.Eventually.await;

import io.bucketwright.testing.TestCluster;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.client.dsl.PodResource;
import java.time.Duration;
import java.util.Optional;

/** Pods with a volume at /data that run one command on a real kubelet. */
record DirectoryPods(TestCluster cluster) {

    /**
     * Creates a pod.
     *
     * @param annotations of the pod, as a YAML map
     * @param securityContext as a YAML map
     */
    void create(String name, String annotations, String securityContext, String claim, String command) {
        cluster.createPod("""
            apiVersion: v1
            kind: Pod
            metadata:
              name: %s
              annotations: %s
            spec:
              automountServiceAccountToken: false
              enableServiceLinks: false
              restartPolicy: Never
              terminationGracePeriodSeconds: 0
              securityContext: %s
              containers:
              - name: application
                image: bucketwright.local/busybox:1
                imagePullPolicy: Never
                command: [sh, -c, '%s']
                volumeMounts: [{name: data, mountPath: /data}]
              volumes:
              - {name: data, persistentVolumeClaim: {claimName: %s}}
            """.formatted(name, annotations, securityContext, command, claim));
    }

    /** Waits until the pod has succeeded; returns its output. */
    String awaitSucceeded(String name) {
        await(name + " to succeed")
                .atMost(Duration.ofMinutes(3))
                .until(() -> Optional.ofNullable(pod(name).get())
                        .map(Pod::getStatus)
                        .filter(status -> "Succeeded".equals(status.getPhase()))
                        .isPresent());
        return pod(name).getLog().strip();
    }

    void delete(String name) {
        pod(name).withGracePeriod(0).delete();
    }

    private PodResource pod(String name) {
        return cluster.admin().pods().inNamespace(cluster.namespace()).withName(name);
    }
}
