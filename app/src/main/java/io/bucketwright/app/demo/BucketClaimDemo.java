package io.bucketwright.app.demo;

import io.bucketwright.api.Crds;
import io.bucketwright.api.ObjectBucketClaim;
import io.bucketwright.api.Phase;
import io.bucketwright.app.Failure;
import io.bucketwright.app.controller.ControllerOptions;
import io.bucketwright.app.controller.Role;
import io.bucketwright.app.controller.Roles;
import io.bucketwright.local.ClusterStatus.StoreAccess;
import io.bucketwright.runtime.engine.ControllerProcess;
import io.bucketwright.runtime.leader.LeaseTiming;
import io.fabric8.kubernetes.api.model.ConfigMap;
import io.fabric8.kubernetes.api.model.Secret;
import io.fabric8.kubernetes.api.model.SecretBuilder;
import io.fabric8.kubernetes.api.model.storage.StorageClassBuilder;
import io.fabric8.kubernetes.client.dsl.Resource;
import io.fabric8.kubernetes.client.utils.Serialization;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.TimeUnit;

/** An ObjectBucketClaim from its statement to its end. */
final class BucketClaimDemo {

    private static final String CLAIM = "photos";

    private final DemoCluster cluster;
    private final StoreAccess store;
    private final Steps steps;

    BucketClaimDemo(DemoCluster cluster, StoreAccess store, Steps steps) {
        this.cluster = cluster;
        this.store = store;
        this.steps = steps;
    }

    void run() throws InterruptedException {
        steps.begin(
                "ObjectBucketClaims: the custom resources, the store's administrator, and a class that offers buckets");
        Crds.all().forEach(definition -> steps.say(cluster.install(definition)));
        prepare();
        steps.begin("The controller starts: provisioner " + provisioner());
        try (ControllerProcess controller = Roles.start(cluster.config(), options())) {
            controller.awaitWorking();
            bind();
            use();
            giveBack();
        }
    }

    private void prepare() {
        cluster.make(new SecretBuilder()
                .withNewMetadata()
                .withName("store-administrator")
                .withNamespace(cluster.name())
                .endMetadata()
                .addToStringData("AWS_ACCESS_KEY_ID", store.accessKeyId())
                .addToStringData("AWS_SECRET_ACCESS_KEY", store.secretAccessKey())
                .build());
        cluster.make(new StorageClassBuilder()
                .withNewMetadata()
                .withName(cluster.name())
                .endMetadata()
                .withProvisioner(provisioner())
                .withReclaimPolicy("Delete")
                .withParameters(Map.of(
                        "endpoint", store.endpoint(),
                        "iamEndpoint", store.iamEndpoint(),
                        "region", store.region(),
                        "secretName", "store-administrator",
                        "secretNamespace", cluster.name()))
                .build());
        steps.say("StorageClass " + cluster.name());
    }

    private void bind() {
        steps.begin("An application states a claim");
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
        ObjectBucketClaim stated = cluster.client()
                .resource(Serialization.unmarshal(yaml, ObjectBucketClaim.class))
                .create();
        steps.say(stated.phase() + " after " + steps.sinceBegin());
        ObjectBucketClaim bound = claim().waitUntilCondition(
                        claim -> claim != null && claim.phase() == Phase.BOUND,
                        DemoCluster.PATIENCE_SECONDS,
                        TimeUnit.SECONDS);
        steps.say(bound.phase() + " after " + steps.sinceBegin() + ", bucket "
                + bound.getSpec().bucket().orElse("?"));
    }

    private void use() {
        ConfigMap config = cluster.client()
                .configMaps()
                .inNamespace(cluster.name())
                .withName(CLAIM)
                .get();
        Secret secret = secret().get();
        steps.begin("The application reads ConfigMap and Secret \"" + CLAIM + "\", made for this claim alone");
        new TreeMap<>(config.getData()).forEach((key, value) -> steps.say(key + "=" + value));
        new TreeMap<>(secret.getData()).keySet().forEach(key -> steps.say(key + "=***"));
        try (DemoApplication application = new DemoApplication(config.getData(), secret.getData())) {
            steps.say("writes and reads back: \"" + application.writeAndRead("hello.txt", "Hello, bucket") + "\"");
            steps.say("may list all buckets of the store: " + (application.mayListBuckets() ? "yes" : "no"));
            application.delete("hello.txt");
        }
    }

    private void giveBack() {
        steps.begin("The application is done and deletes its claim");
        claim().delete();
        claim().waitUntilCondition(claim -> claim == null, DemoCluster.PATIENCE_SECONDS, TimeUnit.SECONDS);
        if (secret().get() != null) {
            throw new Failure("The claim is gone but its Secret is still there; please report this.");
        }
        steps.say("Bucket, credentials, Secret, ConfigMap and ObjectBucket are gone too.");
    }

    private Resource<Secret> secret() {
        return cluster.client().secrets().inNamespace(cluster.name()).withName(CLAIM);
    }

    private Resource<ObjectBucketClaim> claim() {
        return cluster.client()
                .resources(ObjectBucketClaim.class)
                .inNamespace(cluster.name())
                .withName(CLAIM);
    }

    private String provisioner() {
        return cluster.name() + ".example/bucket";
    }

    private ControllerOptions options() {
        return new ControllerOptions(
                List.of(Role.BUCKETS),
                provisioner(),
                "s3",
                cluster.name(),
                4,
                false,
                cluster.name(),
                LeaseTiming.standard(),
                cluster.name(),
                new InetSocketAddress(InetAddress.getLoopbackAddress(), 0),
                Duration.ofHours(1),
                true,
                false,
                Duration.ZERO);
    }
}
