package io.bucketwright.devtools.demo;

import io.bucketwright.api.Crds;
import io.bucketwright.api.cosi.BucketAccessClass;
import io.bucketwright.api.cosi.BucketAccessRequest;
import io.bucketwright.api.cosi.BucketClass;
import io.bucketwright.api.cosi.BucketRequest;
import io.bucketwright.api.cosi.status.BucketAccessRequestPhase;
import io.bucketwright.local.stores.StoreAccess;
import io.fabric8.kubernetes.api.model.ObjectMetaBuilder;
import io.fabric8.kubernetes.api.model.Secret;
import io.fabric8.kubernetes.client.dsl.Resource;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Collectors;

/** COSI as designed in 2020, cosi.io: the bucket and the access to it are two requests that a driver serves. */
record CosiRequestDemo(DemoCluster cluster, StoreAccess store, DemoControllers controllers, DemoSteps steps) {

    private static final String DRIVER = "s3.bucketwright.io";
    private static final String ACCESS = "requested-reader";

    void run() {
        steps.begin("COSI of the design of 2020 (cosi.io): install the CRDs, a BucketClass and a BucketAccessClass");
        Crds.cosi().forEach(definition -> steps.print(cluster.install(definition)));
        classes();
        steps.begin("Start the controller, and a sidecar with a driver for the store");
        controllers.start(
                cluster,
                DemoPart.COSI_IO,
                List.of(
                        new DemoController("cosi.io-controller", List.of("cosi", "controller", "--cosi-api=cosi.io")),
                        new DemoController(
                                "cosi.io-sidecar", CosiDemo.sidecar("--provisioner=" + provisioner(), store))));
        bind();
        use();
    }

    private void classes() {
        BucketClass buckets = new BucketClass();
        buckets.setMetadata(new ObjectMetaBuilder().withName(cluster.name()).build());
        buckets.setProvisioner(provisioner());
        buckets.setProtocol("s3");
        buckets.setReleasePolicy("Delete");
        cluster.create(buckets);
        BucketAccessClass accesses = new BucketAccessClass();
        accesses.setMetadata(new ObjectMetaBuilder().withName(cluster.name()).build());
        accesses.setProvisioner(provisioner());
        accesses.setProtocol("s3");
        cluster.create(accesses);
        steps.print("BucketClass and BucketAccessClass " + cluster.name());
    }

    private void bind() {
        steps.begin("An application requests a bucket and access to it");
        String bucket = """
            apiVersion: cosi.io/v1alpha1
            kind: BucketRequest
            metadata: {name: requested, namespace: %s}
            spec: {protocol: s3, bucketClassName: %s}
            """.formatted(cluster.name(), cluster.name());
        String access = """
            apiVersion: cosi.io/v1alpha1
            kind: BucketAccessRequest
            metadata: {name: %s, namespace: %s}
            spec: {bucketRequestName: requested, bucketAccessClassName: %s, accessSecretName: %s}
            """.formatted(ACCESS, cluster.name(), cluster.name(), ACCESS);
        steps.show(bucket + "---\n" + access);
        BucketRequest _ = cluster.apply(bucket, BucketRequest.class);
        BucketAccessRequest pending = cluster.apply(access, BucketAccessRequest.class);
        steps.print(pending.phase() + " after " + steps.sinceBegin());
        BucketAccessRequest bound = cluster.await(
                "access " + ACCESS + " to be Bound",
                access(),
                request -> request.phase() == BucketAccessRequestPhase.BOUND);
        steps.print(bound.phase() + " after " + steps.sinceBegin());
    }

    private void use() {
        steps.begin("The application reads Secret \"" + ACCESS + "\" with connection data and keys");
        Map<String, String> data = cluster.object(Secret.class, ACCESS).get().getData();
        new TreeMap<>(data).keySet().forEach(key -> steps.print(key + "=" + shown(key, data.getOrDefault(key, ""))));
        Map<String, String> clear = data.entrySet().stream()
                .collect(Collectors.toMap(Map.Entry::getKey, entry -> DemoApplication.decoded(entry.getValue())));
        try (DemoApplication application = DemoApplication.of(clear, data)) {
            application.use(cluster, steps, this::delete);
        }
    }

    private void delete() {
        steps.begin("The application deletes both requests; the release policy is Delete, so the bucket is deleted with"
                + " its object");
        Resource<BucketRequest> request = cluster.object(BucketRequest.class, "requested");
        access().delete();
        request.delete();
        cluster.awaitDeleted("access " + ACCESS, access());
        cluster.awaitDeleted("request requested", request);
        // The garbage collector of Kubernetes deletes the Secret; it discovers new kinds only every 30 seconds.
        steps.print("Bucket and account are deleted.");
    }

    private static String shown(String key, String value) {
        return key.startsWith("BUCKET_") ? DemoApplication.decoded(value) : "***";
    }

    private String provisioner() {
        return cluster.name() + "/" + DRIVER;
    }

    private Resource<BucketAccessRequest> access() {
        return cluster.object(BucketAccessRequest.class, ACCESS);
    }
}
