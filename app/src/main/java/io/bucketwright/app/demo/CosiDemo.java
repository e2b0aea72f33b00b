package io.bucketwright.app.demo;

import io.bucketwright.api.Crds;
import io.bucketwright.api.cosi.BucketAccessClass;
import io.bucketwright.api.cosi.BucketAccessRequest;
import io.bucketwright.api.cosi.BucketAccessRequestPhase;
import io.bucketwright.api.cosi.BucketClass;
import io.bucketwright.api.cosi.BucketRequest;
import io.bucketwright.cosi.controller.CosiController;
import io.bucketwright.cosi.driver.CosiDriver;
import io.bucketwright.cosi.driver.DriverName;
import io.bucketwright.cosi.driver.DriverSettings;
import io.bucketwright.cosi.driver.DriverCredentials;
import io.bucketwright.cosi.proto.DataProtocol;
import io.bucketwright.cosi.sidecar.CosiSidecar;
import io.bucketwright.cosi.wire.SocketPath;
import io.bucketwright.cosi.wire.SocketServer;
import io.bucketwright.local.ClusterStatus.StoreAccess;
import io.bucketwright.store.AdministratorSecret;
import io.bucketwright.store.SecretValue;
import io.bucketwright.store.Stores;
import io.fabric8.kubernetes.api.model.ObjectMetaBuilder;
import io.fabric8.kubernetes.api.model.Secret;
import io.fabric8.kubernetes.client.dsl.Resource;
import io.fabric8.kubernetes.client.utils.Serialization;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.Base64;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;

/** The same store by COSI: a bucket and access to it are two requests, and a driver makes both. */
final class CosiDemo {

    private static final String DRIVER = "s3.bucketwright.io";
    private static final String ACCESS = "reader";

    private final DemoCluster cluster;
    private final StoreAccess store;
    private final Path folder;
    private final Steps steps;

    /** @param folder for the driver's socket */
    CosiDemo(DemoCluster cluster, StoreAccess store, Path folder, Steps steps) {
        this.cluster = cluster;
        this.store = store;
        this.folder = folder;
        this.steps = steps;
    }

    void run() throws InterruptedException {
        steps.begin("COSI: its six kinds, and a class each for buckets and for access");
        Crds.cosi().forEach(definition -> steps.say(cluster.install(definition)));
        classes();
        SocketPath socket = new SocketPath(folder.resolve("cosi.sock"));
        steps.begin("A driver at a socket, its sidecar, and the controller start");
        try (CosiDriver driver = driver();
                SocketServer _ = SocketServer.start(socket, List.of(driver));
                CosiSidecar sidecar = CosiSidecar.builder()
                        .client(cluster.config())
                        .provisioner(provisioner())
                        .driver(socket.toString())
                        .build()
                        .start();
                CosiController controller = CosiController.builder()
                        .client(cluster.config())
                        .build()
                        .start()) {
            sidecar.awaitWorking();
            controller.awaitWorking();
            bind();
            use();
        }
    }

    private CosiDriver driver() {
        AdministratorSecret administrator = new AdministratorSecret(Map.of(
                "AWS_ACCESS_KEY_ID", SecretValue.of(store.accessKeyId()),
                "AWS_SECRET_ACCESS_KEY", SecretValue.of(store.secretAccessKey())));
        DriverCredentials own = () -> administrator;
        return new CosiDriver(
                new DriverSettings(
                        new DriverName(DRIVER),
                        "s3",
                        DataProtocol.S3,
                        Map.of(
                                "endpoint", store.endpoint(),
                                "iamEndpoint", store.iamEndpoint(),
                                "region", store.region())),
                Stores.installed(),
                own);
    }

    private void classes() {
        BucketClass buckets = new BucketClass();
        buckets.setMetadata(new ObjectMetaBuilder().withName(cluster.name()).build());
        buckets.setProvisioner(provisioner());
        buckets.setProtocol("s3");
        buckets.setReleasePolicy("Delete");
        cluster.make(buckets);
        BucketAccessClass accesses = new BucketAccessClass();
        accesses.setMetadata(new ObjectMetaBuilder().withName(cluster.name()).build());
        accesses.setProvisioner(provisioner());
        accesses.setProtocol("s3");
        cluster.make(accesses);
        steps.say("BucketClass and BucketAccessClass " + cluster.name());
    }

    private void bind() {
        steps.begin("An application asks for a bucket and for access to it");
        String bucket = """
                apiVersion: cosi.io/v1alpha1
                kind: BucketRequest
                metadata: {name: archive, namespace: %s}
                spec: {protocol: s3, bucketClassName: %s}
                """.formatted(cluster.name(), cluster.name());
        String access = """
                apiVersion: cosi.io/v1alpha1
                kind: BucketAccessRequest
                metadata: {name: %s, namespace: %s}
                spec: {bucketRequestName: archive, bucketAccessClassName: %s, accessSecretName: %s}
                """.formatted(ACCESS, cluster.name(), cluster.name(), ACCESS);
        steps.show(bucket + "---\n" + access);
        cluster.client()
                .resource(Serialization.unmarshal(bucket, BucketRequest.class))
                .create();
        BucketAccessRequest stated = cluster.client()
                .resource(Serialization.unmarshal(access, BucketAccessRequest.class))
                .create();
        steps.say(stated.phase() + " after " + steps.sinceBegin());
        BucketAccessRequest bound = access().waitUntilCondition(
                        it -> it != null && it.phase() == BucketAccessRequestPhase.BOUND,
                        DemoCluster.PATIENCE_SECONDS,
                        TimeUnit.SECONDS);
        steps.say(bound.phase() + " after " + steps.sinceBegin());
    }

    private void use() {
        steps.begin("The application reads Secret \"" + ACCESS + "\": connection and keys, made for this access alone");
        Map<String, String> data = secret().get().getData();
        new TreeMap<>(data).keySet().forEach(key -> steps.say(key + "=" + shown(key, data.getOrDefault(key, ""))));
        Map<String, String> clear = data.entrySet().stream()
                .collect(Collectors.toMap(Map.Entry::getKey, entry -> decoded(entry.getValue())));
        try (DemoApplication application = new DemoApplication(clear, data)) {
            steps.say("writes and reads back: \"" + application.writeAndRead("hello.txt", "Hello, COSI") + "\"");
            giveBack();
            // The Secret itself goes with Kubernetes' own garbage collector, which looks for new kinds twice a minute.
            steps.say("its keys still open a bucket: " + (application.isLetIn() ? "yes" : "no"));
        }
    }

    private void giveBack() {
        steps.begin("The application is done and deletes both requests; the class says Delete, so the object goes too");
        access().delete();
        request().delete();
        access().waitUntilCondition(it -> it == null, DemoCluster.PATIENCE_SECONDS, TimeUnit.SECONDS);
        request().waitUntilCondition(it -> it == null, DemoCluster.PATIENCE_SECONDS, TimeUnit.SECONDS);
        steps.say("Bucket and account are gone too.");
    }

    private static String shown(String key, String value) {
        return key.startsWith("BUCKET_") ? decoded(value) : "***";
    }

    private static String decoded(String base64) {
        return new String(Base64.getDecoder().decode(base64), StandardCharsets.UTF_8);
    }

    private String provisioner() {
        return cluster.name() + "/" + DRIVER;
    }

    private Resource<Secret> secret() {
        return cluster.client().secrets().inNamespace(cluster.name()).withName(ACCESS);
    }

    private Resource<BucketAccessRequest> access() {
        return cluster.client()
                .resources(BucketAccessRequest.class)
                .inNamespace(cluster.name())
                .withName(ACCESS);
    }

    private Resource<BucketRequest> request() {
        return cluster.client()
                .resources(BucketRequest.class)
                .inNamespace(cluster.name())
                .withName("archive");
    }
}
