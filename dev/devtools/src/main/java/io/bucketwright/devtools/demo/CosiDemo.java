package io.bucketwright.devtools.demo;

import io.bucketwright.api.Crds;
import io.bucketwright.api.objectstorage.BucketClaim;
import io.bucketwright.api.objectstorage.ReleasedBucketAccess;
import io.bucketwright.api.objectstorage.ReleasedBucketAccessClass;
import io.bucketwright.api.objectstorage.ReleasedBucketClass;
import io.bucketwright.api.objectstorage.ReleasedNames;
import io.bucketwright.local.stores.StoreAccess;
import io.fabric8.kubernetes.api.model.ObjectMetaBuilder;
import io.fabric8.kubernetes.api.model.Secret;
import io.fabric8.kubernetes.client.dsl.Resource;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/** The same store with COSI as released: a BucketClaim, and a BucketAccess with its Secret, which a driver serves. */
record CosiDemo(DemoCluster cluster, StoreAccess store, DemoControllers controllers, DemoSteps steps) {

    private static final String DRIVER = "s3.bucketwright.io";
    private static final String CLAIM = "archive";
    private static final String ACCESS = "reader";

    void run() {
        steps.begin("COSI: install the CRDs, a BucketClass and a BucketAccessClass");
        Crds.released().forEach(definition -> steps.print(cluster.install(definition)));
        classes();
        steps.begin("Start the controller, and a sidecar with a driver for the store");
        controllers.start(
                cluster,
                DemoPart.COSI,
                List.of(
                        new DemoController("cosi-controller", List.of("cosi", "controller")),
                        new DemoController("cosi-sidecar", sidecar("--driver-name=" + driver(), store))));
        bind();
        use();
    }

    /** How the store is reached, as in a class. */
    static Map<String, String> parameters(StoreAccess store) {
        return Map.of("endpoint", store.endpoint(), "iamEndpoint", store.iamEndpoint(), "region", store.region());
    }

    /**
     * The command of a sidecar with a driver for the store.
     *
     * @param name the flag that names the driver
     */
    static List<String> sidecar(String name, StoreAccess store) {
        List<String> command = new ArrayList<>(List.of("cosi", "sidecar", "--with-driver", name, "--store=s3"));
        new TreeMap<>(parameters(store)).forEach((key, value) -> command.add("--param=" + key + "=" + value));
        command.add("--credentials=" + store.credentialsFile());
        return command;
    }

    private void classes() {
        ReleasedBucketClass buckets = new ReleasedBucketClass();
        buckets.setMetadata(new ObjectMetaBuilder().withName(cluster.name()).build());
        buckets.setDriverName(driver());
        buckets.setDeletionPolicy(ReleasedNames.DELETE);
        buckets.setParameters(Map.of("onNotEmpty", "purge"));
        cluster.create(buckets);
        ReleasedBucketAccessClass accesses = new ReleasedBucketAccessClass();
        accesses.setMetadata(new ObjectMetaBuilder().withName(cluster.name()).build());
        accesses.setDriverName(driver());
        accesses.setAuthenticationType("Key");
        cluster.create(accesses);
        steps.print("BucketClass and BucketAccessClass " + cluster.name() + " of driver " + driver());
    }

    private void bind() {
        steps.begin("An application claims a bucket, and access to it");
        String claim = """
            apiVersion: objectstorage.k8s.io/v1alpha1
            kind: BucketClaim
            metadata: {name: %s, namespace: %s}
            spec: {bucketClassName: %s, protocols: [S3]}
            """.formatted(CLAIM, cluster.name(), cluster.name());
        String access = """
            apiVersion: objectstorage.k8s.io/v1alpha1
            kind: BucketAccess
            metadata: {name: %s, namespace: %s}
            spec: {bucketClaimName: %s, bucketAccessClassName: %s, credentialsSecretName: %s, protocol: S3}
            """.formatted(ACCESS, cluster.name(), CLAIM, cluster.name(), ACCESS);
        steps.show(claim + "---\n" + access);
        BucketClaim _ = cluster.apply(claim, BucketClaim.class);
        ReleasedBucketAccess _ = cluster.apply(access, ReleasedBucketAccess.class);
        BucketClaim ready = cluster.await(
                "claim " + CLAIM + " to be ready",
                claim(),
                found -> found.status().bucketReady());
        steps.print("bucketReady after " + steps.sinceBegin() + ": Bucket "
                + ready.status().bucketName());
        ReleasedBucketAccess _ = cluster.await(
                "access " + ACCESS + " to be granted",
                access(),
                found -> found.status().accessGranted());
        steps.print("accessGranted after " + steps.sinceBegin());
    }

    private void use() {
        steps.begin("The application reads " + ReleasedNames.BUCKET_INFO + " in Secret \"" + ACCESS
                + "\", with connection data and keys");
        DemoBucketInfo info = DemoBucketInfo.parse(DemoApplication.decoded(
                cluster.object(Secret.class, ACCESS).get().getData().getOrDefault(ReleasedNames.BUCKET_INFO, "")));
        steps.show(info.redacted());
        try (DemoApplication application = info.application()) {
            application.use(cluster, steps, this::delete);
        }
    }

    private void delete() {
        steps.begin(
                "The application deletes access and claim; the class says Delete and onNotEmpty: purge, so the bucket is"
                        + " deleted with its object");
        access().delete();
        claim().delete();
        cluster.awaitDeleted("access " + ACCESS, access());
        cluster.awaitDeleted("claim " + CLAIM, claim());
        steps.print("Bucket, account and Secret are deleted.");
    }

    /** In a cluster of the user, another driver may have the usual name. */
    private String driver() {
        return cluster.isLocal() ? DRIVER : cluster.name() + "." + DRIVER;
    }

    private Resource<BucketClaim> claim() {
        return cluster.object(BucketClaim.class, CLAIM);
    }

    private Resource<ReleasedBucketAccess> access() {
        return cluster.object(ReleasedBucketAccess.class, ACCESS);
    }
}
