package io.bucketwright.bench.workload;

import io.bucketwright.bench.cluster.BenchCluster;
import java.util.ArrayList;
import java.util.List;

/**
 * PersistentVolumes of a CSI driver, and Pending pods that request no claim, for all volume controllers.
 *
 * @param launcher the installed command
 * @param pods whose controller is measured
 * @param directories whose controller is measured
 */
public record ForeignVolumes(BenchCluster cluster, String launcher, Workload pods, Workload directories)
        implements ForeignLoad {

    private static final int VOLUMES_PER_POD = 4;

    @Override
    public String name() {
        return "foreign-volumes";
    }

    @Override
    public String title() {
        return "Foreign PersistentVolumes and pods";
    }

    @Override
    public void prepare() {
        pods.prepare();
        directories.prepare();
    }

    @Override
    public List<RoleCommand> roles() {
        List<RoleCommand> roles = new ArrayList<>(pods.roles());
        roles.add(new RoleCommand(
                "releaser",
                "bucketwright-releaser",
                List.of(launcher, "controller", "--only=releaser", "--lease-namespace=" + cluster.namespace()),
                1));
        roles.addAll(directories.roles());
        return roles;
    }

    /** @param count of volumes */
    @Override
    public List<ForeignBatch> batches(int count) {
        String namespace = cluster.namespace();
        return List.of(
                new ForeignBatch(
                        "PersistentVolumes",
                        namespace + "-foreign-volume",
                        count,
                        "/api/v1/persistentvolumes",
                        name -> volume(name, namespace)),
                new ForeignBatch(
                        "pods",
                        "foreign-pod",
                        Math.max(1, count / VOLUMES_PER_POD),
                        "/api/v1/namespaces/" + namespace + "/pods",
                        name -> pod(name, namespace)));
    }

    /** Its claim does not exist: the binder of Kubernetes sets its phase to Released. */
    private static String volume(String name, String namespace) {
        return """
                {"apiVersion":"v1","kind":"PersistentVolume","metadata":{"name":"%1$s",\
                "labels":{"topology.kubernetes.io/zone":"zone-a"},\
                "annotations":{"pv.kubernetes.io/provisioned-by":"csi.other.example"}},\
                "spec":{"storageClassName":"%2$s-foreign","capacity":{"storage":"10Gi"},"accessModes":["ReadWriteOnce"],\
                "persistentVolumeReclaimPolicy":"Retain","volumeMode":"Filesystem",\
                "claimRef":{"apiVersion":"v1","kind":"PersistentVolumeClaim","namespace":"%2$s",\
                "name":"data-%1$s","uid":"%1$s"},\
                "csi":{"driver":"csi.other.example","volumeHandle":"vol-%1$s","fsType":"ext4","volumeAttributes":{\
                "storage.kubernetes.io/csiProvisionerIdentity":"1700000000000-8081-csi.other.example"}},\
                "nodeAffinity":{"required":{"nodeSelectorTerms":[{"matchExpressions":[\
                {"key":"topology.kubernetes.io/zone","operator":"In","values":["zone-a"]}]}]}}}}""".formatted(name, namespace);
    }

    /** It names a node that does not exist and never runs. */
    private static String pod(String name, String namespace) {
        return """
                {"apiVersion":"v1","kind":"Pod","metadata":{"name":"%1$s","namespace":"%2$s",\
                "labels":{"app.kubernetes.io/name":"other","pod-template-hash":"6f7d8c9b5"},\
                "annotations":{"prometheus.io/scrape":"true","prometheus.io/port":"9090"}},\
                "spec":{"nodeSelector":{"bucketwright.io/none":"true"},"terminationGracePeriodSeconds":0,\
                "containers":[{"name":"main","image":"bucketwright.local/none","args":["--serve"],\
                "env":[{"name":"LOG_LEVEL","value":"info"}],\
                "resources":{"requests":{"cpu":"100m","memory":"64Mi"}},\
                "volumeMounts":[{"name":"data","mountPath":"/data"}]}],\
                "volumes":[{"name":"data","persistentVolumeClaim":{"claimName":"data-%1$s"}}]}}""".formatted(name, namespace);
    }
}
