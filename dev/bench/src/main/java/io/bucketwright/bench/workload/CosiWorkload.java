package io.bucketwright.bench.workload;

import io.bucketwright.api.Crds;
import io.bucketwright.api.cosi.BucketAccessClass;
import io.bucketwright.api.cosi.BucketClass;
import io.bucketwright.bench.cluster.BenchCluster;
import io.fabric8.kubernetes.api.model.ObjectMetaBuilder;
import java.nio.file.Path;
import java.util.List;

/**
 * A BucketRequest and a BucketAccessRequest to its bucket, with controller, sidecar and a driver whose store creates no
 * buckets.
 *
 * @param launcher the installed command
 */
public record CosiWorkload(BenchCluster cluster, String launcher, int workers) implements Workload {

    private static final String GROUP = "/apis/cosi.io/v1alpha1/namespaces/";
    private static final String DRIVER = "none.bucketwright.io";

    @Override
    public String name() {
        return "cosi";
    }

    @Override
    public String title() {
        return "COSI: BucketRequest and BucketAccessRequest";
    }

    @Override
    public void prepare() {
        cluster.install(Crds.cosi());
        cluster.deploy("cosi-rbac.yaml");
        cluster.deploy("cosi-sidecar-rbac.yaml");
        BucketClass buckets = new BucketClass();
        buckets.setMetadata(
                new ObjectMetaBuilder().withName(cluster.namespace()).build());
        buckets.setProvisioner(provisioner());
        buckets.setProtocol("s3");
        buckets.setReleasePolicy("Delete");
        cluster.create(buckets);
        BucketAccessClass accesses = new BucketAccessClass();
        accesses.setMetadata(
                new ObjectMetaBuilder().withName(cluster.namespace()).build());
        accesses.setProvisioner(provisioner());
        accesses.setProtocol("s3");
        cluster.create(accesses);
    }

    @Override
    public List<RoleCommand> roles() {
        Path socket = cluster.processes().file("cosi.sock");
        return List.of(
                new RoleCommand(
                        "driver",
                        "",
                        List.of(launcher, "cosi", "driver", "--store=none", "--listen=unix://" + socket),
                        0),
                new RoleCommand(
                        "sidecar",
                        "cosi-sidecar",
                        List.of(
                                launcher,
                                "cosi",
                                "sidecar",
                                "--provisioner=" + provisioner(),
                                "--driver=unix://" + socket,
                                "--workers=" + workers),
                        1),
                new RoleCommand(
                        "cosi",
                        "bucketwright-cosi",
                        List.of(
                                launcher,
                                "cosi",
                                "controller",
                                "--cosi-api=cosi.io",
                                "--lease-namespace=" + cluster.namespace(),
                                "--workers=" + workers),
                        1));
    }

    @Override
    public List<NewObject> objects(String name) {
        String metadata = "\"metadata\":{\"name\":\"%s\",\"namespace\":\"%s\"}".formatted(name, cluster.namespace());
        return List.of(
                new NewObject(
                        path("bucketrequests"),
                        "{\"apiVersion\":\"cosi.io/v1alpha1\",\"kind\":\"BucketRequest\",%s,\"spec\":{\"protocol\":\"s3\",\"bucketClassName\":\"%s\"}}"
                                .formatted(metadata, cluster.namespace())),
                new NewObject(path("bucketaccessrequests"), """
                        {"apiVersion":"cosi.io/v1alpha1","kind":"BucketAccessRequest",%s,"spec":{"bucketRequestName":"%s",\
                        "bucketAccessClassName":"%s","accessSecretName":"%s"}}""".formatted(metadata, name, cluster.namespace(), name)));
    }

    @Override
    public WatchGoal bound() {
        return WatchGoal.phase(path("bucketaccessrequests"), "Bound");
    }

    /** Its bucket is deleted last. */
    @Override
    public WatchGoal deleted() {
        return WatchGoal.deletion(path("bucketrequests"));
    }

    private String path(String resource) {
        return GROUP + cluster.namespace() + "/" + resource;
    }

    private String provisioner() {
        return cluster.namespace() + "/" + DRIVER;
    }
}
