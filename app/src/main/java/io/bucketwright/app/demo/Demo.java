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
import io.fabric8.kubernetes.api.model.NamespaceBuilder;
import io.fabric8.kubernetes.api.model.Secret;
import io.fabric8.kubernetes.api.model.SecretBuilder;
import io.fabric8.kubernetes.api.model.apiextensions.v1.CustomResourceDefinition;
import io.fabric8.kubernetes.api.model.apiextensions.v1.CustomResourceDefinitionStatus;
import io.fabric8.kubernetes.api.model.storage.StorageClassBuilder;
import io.fabric8.kubernetes.client.Config;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientBuilder;
import io.fabric8.kubernetes.client.dsl.Resource;
import java.io.PrintWriter;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.UUID;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/** What the demo does on the cluster and with the store it was given. Removes what it made, however it ends. */
final class Demo implements AutoCloseable {

    private static final long PATIENCE_SECONDS = 60;
    private static final String CLAIM = "photos";

    private final String name =
            "bucketwright-demo-" + UUID.randomUUID().toString().substring(0, 5);
    private final Config config;
    private final StoreAccess store;
    private final PrintWriter out;
    private final KubernetesClient client;

    Demo(Config config, StoreAccess store, PrintWriter out) {
        this.config = config;
        this.store = store;
        this.out = out;
        this.client = new KubernetesClientBuilder().withConfig(config).build();
    }

    void run() throws InterruptedException {
        out.println("   Kubernetes " + client.getKubernetesVersion().getGitVersion() + " at " + client.getMasterUrl());
        out.println("2. The custom resources, the store's administrator, and a class that offers buckets");
        prepare();
        try (ControllerProcess controller = Roles.start(config, options())) {
            controller.awaitWorking();
            out.println("3. The controller runs: provisioner " + name + ".example/bucket");
            out.println("4. An application states a claim");
            bind();
            use();
            giveBack();
        }
    }

    private void prepare() {
        for (CustomResourceDefinition definition : Crds.all()) {
            install(definition);
        }
        client.resource(new NamespaceBuilder()
                        .withNewMetadata()
                        .withName(name)
                        .endMetadata()
                        .build())
                .create();
        client.resource(new SecretBuilder()
                        .withNewMetadata()
                        .withName("store-administrator")
                        .withNamespace(name)
                        .endMetadata()
                        .addToStringData("AWS_ACCESS_KEY_ID", store.accessKeyId())
                        .addToStringData("AWS_SECRET_ACCESS_KEY", store.secretAccessKey())
                        .build())
                .create();
        client.resource(new StorageClassBuilder()
                        .withNewMetadata()
                        .withName(name)
                        .endMetadata()
                        .withProvisioner(name + ".example/bucket")
                        .withReclaimPolicy("Delete")
                        .withParameters(Map.of(
                                "endpoint", store.endpoint(),
                                "iamEndpoint", store.iamEndpoint(),
                                "region", store.region(),
                                "secretName", "store-administrator",
                                "secretNamespace", name))
                        .build())
                .create();
        out.println("   StorageClass " + name);
    }

    private void bind() {
        String yaml = """
                apiVersion: objectbucket.io/v1alpha1
                kind: ObjectBucketClaim
                metadata:
                  name: %s
                  namespace: %s
                spec:
                  generateBucketName: photo-booth
                  storageClassName: %s
                """.formatted(CLAIM, name, name);
        yaml.lines().forEach(line -> out.println("   | " + line));
        long begun = System.nanoTime();
        client.resource(yaml).create();
        ObjectBucketClaim bound = claim().waitUntilCondition(
                        claim -> claim != null && claim.phase() == Phase.BOUND, PATIENCE_SECONDS, TimeUnit.SECONDS);
        out.println(
                "   Bound after " + Duration.ofNanos(System.nanoTime() - begun).toMillis() + " ms, bucket "
                        + bound.getSpec().bucket().orElse("?"));
    }

    private void use() {
        ConfigMap config = client.configMaps().inNamespace(name).withName(CLAIM).get();
        Secret secret = client.secrets().inNamespace(name).withName(CLAIM).get();
        out.println("5. The application reads ConfigMap and Secret \"" + CLAIM + "\", made for this claim alone");
        new TreeMap<>(config.getData()).forEach((key, value) -> out.println("   " + key + "=" + value));
        new TreeMap<>(secret.getData()).keySet().forEach(key -> out.println("   " + key + "=***"));
        try (DemoApplication application = new DemoApplication(config.getData(), secret.getData())) {
            out.println("   writes and reads back: \"" + application.writeAndRead("hello.txt", "Hello, bucket") + "\"");
            out.println("   may list all buckets of the store: " + (application.mayListBuckets() ? "yes" : "no"));
            application.delete("hello.txt");
        }
    }

    private void giveBack() {
        out.println("6. The application is done and deletes its claim");
        claim().delete();
        claim().waitUntilCondition(claim -> claim == null, PATIENCE_SECONDS, TimeUnit.SECONDS);
        boolean left = client.secrets().inNamespace(name).withName(CLAIM).get() != null;
        if (left) {
            throw new Failure("The claim is gone but its Secret is still there; please report this.");
        }
        out.println("   Bucket, credentials, Secret, ConfigMap and ObjectBucket are gone too.");
    }

    private Resource<ObjectBucketClaim> claim() {
        return client.resources(ObjectBucketClaim.class).inNamespace(name).withName(CLAIM);
    }

    private ControllerOptions options() {
        return new ControllerOptions(
                List.of(Role.BUCKETS),
                name + ".example/bucket",
                "s3",
                name,
                4,
                false,
                name,
                LeaseTiming.standard(),
                name,
                new InetSocketAddress(InetAddress.getLoopbackAddress(), 0),
                Duration.ofHours(1),
                true,
                false,
                Duration.ZERO);
    }

    private void install(CustomResourceDefinition definition) {
        String definitionName = definition.getMetadata().getName();
        var existing = client.apiextensions().v1().customResourceDefinitions().withName(definitionName);
        String how = "installed";
        if (existing.get() == null) {
            client.resource(definition).create();
        } else {
            how = "there already";
        }
        existing.waitUntilCondition(Demo::established, PATIENCE_SECONDS, TimeUnit.SECONDS);
        out.println("   " + definitionName + ": " + how);
    }

    /** Just after its creation a definition has no status, and then one without conditions. */
    private static boolean established(@Nullable CustomResourceDefinition definition) {
        return Optional.ofNullable(definition)
                .map(CustomResourceDefinition::getStatus)
                .map(CustomResourceDefinitionStatus::getConditions)
                .stream()
                .flatMap(List::stream)
                .anyMatch(condition -> condition.getType().equals("Established")
                        && condition.getStatus().equals("True"));
    }

    @Override
    public void close() {
        client.storage().v1().storageClasses().withName(name).delete();
        client.namespaces().withName(name).delete();
        client.close();
    }
}
