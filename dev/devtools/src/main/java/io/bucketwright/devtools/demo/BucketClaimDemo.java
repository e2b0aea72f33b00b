package io.bucketwright.devtools.demo;

import io.bucketwright.api.Crds;
import io.bucketwright.api.ObjectBucketClaim;
import io.bucketwright.api.Phase;
import io.bucketwright.app.command.CommandException;
import io.bucketwright.local.stores.StoreAccess;
import io.fabric8.kubernetes.api.model.ConfigMap;
import io.fabric8.kubernetes.api.model.Secret;
import io.fabric8.kubernetes.api.model.SecretBuilder;
import io.fabric8.kubernetes.api.model.storage.StorageClassBuilder;
import io.fabric8.kubernetes.client.dsl.Resource;
import java.util.List;
import java.util.TreeMap;

/** The life cycle of an ObjectBucketClaim. */
record BucketClaimDemo(DemoCluster cluster, StoreAccess store, DemoControllers controllers, DemoSteps steps) {

    private static final String CLAIM = "photos";

    void run() {
        steps.begin("ObjectBucketClaims: install the CRDs, the administrator Secret of the store and a StorageClass");
        Crds.objectBuckets().forEach(definition -> steps.print(cluster.install(definition)));
        prepare();
        steps.begin("Start the controller");
        controllers.start(
                cluster,
                DemoPart.BUCKETS,
                List.of(new DemoController(
                        "bucket-controller",
                        List.of(
                                "controller",
                                "--only=buckets",
                                "--provisioner=" + provisioner(),
                                "--namespace=" + cluster.name()))));
        bind();
        use();
        if (!cluster.keep()) {
            delete();
        }
    }

    private void prepare() {
        cluster.create(administratorSecret("store-administrator", cluster, store));
        cluster.create(new StorageClassBuilder()
                .withNewMetadata()
                .withName(cluster.name())
                .endMetadata()
                .withProvisioner(provisioner())
                .withReclaimPolicy("Delete")
                .withParameters(CosiDemo.parameters(store))
                .addToParameters("secretName", "store-administrator")
                .addToParameters("secretNamespace", cluster.name())
                .build());
        steps.print("StorageClass " + cluster.name());
    }

    /** The keys of the administrator of the store, in the namespace of this demo. */
    static Secret administratorSecret(String name, DemoCluster cluster, StoreAccess store) {
        return new SecretBuilder()
                .withNewMetadata()
                .withName(name)
                .withNamespace(cluster.name())
                .endMetadata()
                .addToStringData("AWS_ACCESS_KEY_ID", store.accessKeyId())
                .addToStringData("AWS_SECRET_ACCESS_KEY", store.secretAccessKey())
                .build();
    }

    private void bind() {
        steps.begin("An application creates a claim");
        String yaml = """
            apiVersion: objectbucket.io/v1alpha1
            kind: ObjectBucketClaim
            metadata:
              name: %s
              namespace: %s
            spec:
              generateBucketName: photo-booth
              storageClassName: %s
            """.formatted(CLAIM, cluster.name(), cluster.name());
        steps.show(yaml);
        ObjectBucketClaim pending = cluster.apply(yaml, ObjectBucketClaim.class);
        steps.print(pending.phase() + " after " + steps.sinceBegin());
        ObjectBucketClaim bound =
                cluster.await("claim " + CLAIM + " to be Bound", claim(), claim -> claim.phase() == Phase.BOUND);
        steps.print(bound.phase() + " after " + steps.sinceBegin() + ", bucket "
                + bound.getSpec().bucket().orElse("?"));
    }

    private void use() {
        ConfigMap config = cluster.object(ConfigMap.class, CLAIM).get();
        Secret secret = secret().get();
        steps.begin("The application reads ConfigMap and Secret \"" + CLAIM + "\"");
        new TreeMap<>(config.getData()).forEach((key, value) -> steps.print(key + "=" + value));
        new TreeMap<>(secret.getData()).keySet().forEach(key -> steps.print(key + "=***"));
        try (DemoApplication application = DemoApplication.of(config.getData(), secret.getData())) {
            steps.print("writes and reads back: \"" + application.writeAndRead("hello.txt", "Hello, bucket") + "\"");
            steps.print("can list all buckets of the store: " + (application.mayListBuckets() ? "yes" : "no"));
            if (!cluster.keep()) {
                application.delete("hello.txt");
            }
        }
    }

    private void delete() {
        steps.begin("The application deletes its claim");
        claim().delete();
        cluster.awaitDeleted("claim " + CLAIM, claim());
        if (secret().get() != null) {
            throw new CommandException("The claim was deleted but its Secret still exists; please report this.");
        }
        steps.print("Bucket, credentials, Secret, ConfigMap and ObjectBucket are deleted.");
    }

    private Resource<Secret> secret() {
        return cluster.object(Secret.class, CLAIM);
    }

    private Resource<ObjectBucketClaim> claim() {
        return cluster.object(ObjectBucketClaim.class, CLAIM);
    }

    private String provisioner() {
        return cluster.name() + ".example/bucket";
    }
}
