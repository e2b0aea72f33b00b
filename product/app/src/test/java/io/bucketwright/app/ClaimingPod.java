package io.bucketwright.app;

import io.bucketwright.testing.Eventually;
import io.bucketwright.testing.TestCluster;

/** A pod that requests a PersistentVolumeClaim by annotation, and that no node runs. */
public final class ClaimingPod {

    private ClaimingPod() {}

    /** The pod as YAML. The name of the claim is the pod's with {@code -data}. */
    public static String yaml(String name, String storageClass) {
        return """
            apiVersion: v1
            kind: Pod
            metadata:
              name: %1$s
              annotations:
                dynamic-pvc-provisioner.kubernetes.io/data.enabled: "true"
                dynamic-pvc-provisioner.kubernetes.io/data.pvc: |
                  apiVersion: v1
                  kind: PersistentVolumeClaim
                  spec:
                    storageClassName: %2$s
                    accessModes: [ReadWriteOnce]
                    resources: {requests: {storage: 1Mi}}
            spec:
              nodeSelector: {bucketwright.io/none: "true"}
              containers: [{name: main, image: bucketwright.local/none}]
              volumes: [{name: data, persistentVolumeClaim: {claimName: %1$s-data}}]
            """.formatted(name, storageClass);
    }

    /** Waits until pods are admitted: a new namespace has no service account at first. */
    public static void awaitServiceAccount(TestCluster cluster) {
        Eventually.await("the service account of pods")
                .until(() -> cluster.admin()
                                .serviceAccounts()
                                .inNamespace(cluster.namespace())
                                .withName("default")
                                .get()
                        != null);
    }
}
