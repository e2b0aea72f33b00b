package io.bucketwright.bench.workload;

import io.bucketwright.api.Crds;
import io.bucketwright.bench.cluster.BenchCluster;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * ObjectBucketClaims for new buckets, on a store that creates none: what is measured is the controller.
 *
 * @param command of another controller that is measured instead; null for ours
 * @param launcher the installed command
 * @param provisioner in the class; null for one of this bench
 */
public record BucketWorkload(
        BenchCluster cluster,
        String launcher,
        int workers,
        @Nullable String command,
        @Nullable String provisioner,
        Map<String, String> parameters)
        implements Workload {

    public static final String ROLE = "buckets";

    /** An account with the permissions of the controller and more, for a second replica. */
    public static final String OTHER_ACCOUNT = "bucketwright-objectbuckets";

    private static final String GROUP = "/apis/objectbucket.io/v1alpha1/namespaces/";

    public BucketWorkload {
        parameters = Map.copyOf(parameters);
    }

    @Override
    public String name() {
        return ROLE;
    }

    @Override
    public String title() {
        return "ObjectBucketClaims";
    }

    @Override
    public void prepare() {
        cluster.install(Crds.objectBuckets());
        cluster.deploy("rbac.yaml");
        cluster.createStorageClass(storageClass(), provisionerName(), parameters);
    }

    @Override
    public List<RoleCommand> roles() {
        if (command != null) {
            return List.of(RoleCommand.other(command));
        }
        return List.of(new RoleCommand(
                ROLE,
                "bucketwright-buckets",
                List.of(
                        launcher,
                        "controller",
                        "--only=buckets",
                        "--store=none",
                        "--provisioner=" + provisionerName(),
                        "--namespace=" + cluster.namespace(),
                        "--lease-namespace=" + cluster.namespace(),
                        "--workers=" + workers),
                1));
    }

    @Override
    public List<NewObject> objects(String name) {
        return List.of(new NewObject(path(), """
                {"apiVersion":"objectbucket.io/v1alpha1","kind":"ObjectBucketClaim",\
                "metadata":{"name":"%s","namespace":"%s"},\
                "spec":{"generateBucketName":"photos","storageClassName":"%s"}}""".formatted(name, cluster.namespace(), storageClass())));
    }

    @Override
    public WatchGoal bound() {
        return WatchGoal.phase(path(), "Bound");
    }

    @Override
    public WatchGoal deleted() {
        return WatchGoal.deletion(path());
    }

    private String path() {
        return GROUP + cluster.namespace() + "/objectbucketclaims";
    }

    private String storageClass() {
        return cluster.namespace() + "-buckets";
    }

    private String provisionerName() {
        return provisioner == null ? cluster.namespace() + ".bench/bucket" : provisioner;
    }
}
