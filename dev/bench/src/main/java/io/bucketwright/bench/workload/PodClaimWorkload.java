package io.bucketwright.bench.workload;

import io.bucketwright.bench.cluster.BenchCluster;
import io.fabric8.kubernetes.client.Watcher.Action;
import java.util.List;
import java.util.Optional;

/**
 * Pods that request a claim by annotation. They name a node that does not exist and never run.
 *
 * @param launcher the installed command
 */
public record PodClaimWorkload(BenchCluster cluster, String launcher, int workers) implements Workload {

    @Override
    public String name() {
        return "pod-claims";
    }

    @Override
    public String title() {
        return "Pods that request a PersistentVolumeClaim";
    }

    @Override
    public void prepare() {
        cluster.deploy("volumes-rbac.yaml");
        cluster.awaitServiceAccount();
    }

    @Override
    public List<RoleCommand> roles() {
        return List.of(new RoleCommand(
                "pod-claims",
                "bucketwright-pod-claims",
                List.of(
                        launcher,
                        "controller",
                        "--only=pod-claims",
                        "--controller-id=" + cluster.namespace(),
                        "--namespace=" + cluster.namespace(),
                        "--lease-namespace=" + cluster.namespace(),
                        "--workers=" + workers),
                1));
    }

    @Override
    public List<NewObject> objects(String name) {
        String template = "apiVersion: v1\\nkind: PersistentVolumeClaim\\nspec: {storageClassName: none, accessModes:"
                + " [ReadWriteOnce], resources: {requests: {storage: 1Gi}}}\\n";
        return List.of(new NewObject("/api/v1/namespaces/" + cluster.namespace() + "/pods", """
                {"apiVersion":"v1","kind":"Pod","metadata":{"name":"%1$s","namespace":"%2$s","annotations":{\
                "dynamic-pvc-provisioner.kubernetes.io/data.enabled":"true",\
                "dynamic-pvc-provisioner.kubernetes.io/data.pvc":"%3$s"}},"spec":{\
                "nodeSelector":{"bucketwright.io/none":"true"},"terminationGracePeriodSeconds":0,\
                "containers":[{"name":"main","image":"bucketwright.local/none"}],\
                "volumes":[{"name":"data","persistentVolumeClaim":{"claimName":"%1$s"}}]}}""".formatted(
                        name, cluster.namespace(), template)));
    }

    @Override
    public WatchGoal bound() {
        return new WatchGoal(
                path(), event -> event.action() == Action.ADDED ? Optional.of(event.name()) : Optional.empty());
    }

    /** The garbage collector deletes the claim. */
    @Override
    public WatchGoal deleted() {
        return WatchGoal.deletion("/api/v1/namespaces/" + cluster.namespace() + "/pods");
    }

    @Override
    public boolean measuresDeletion() {
        return false;
    }

    private String path() {
        return "/api/v1/namespaces/" + cluster.namespace() + "/persistentvolumeclaims";
    }
}
