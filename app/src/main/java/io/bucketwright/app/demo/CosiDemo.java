package io.bucketwright.app.demo;

import io.bucketwright.api.Crds;
import io.bucketwright.api.cosi.BucketAccessClass;
import io.bucketwright.api.cosi.BucketAccessRequest;
import io.bucketwright.api.cosi.BucketClass;
import io.bucketwright.api.cosi.BucketRequest;
import io.bucketwright.api.cosi.status.BucketAccessRequestPhase;
import io.bucketwright.cosi.controller.CosiController;
import io.bucketwright.cosi.driver.CosiDriver;
import io.bucketwright.cosi.driver.DriverCredentials;
import io.bucketwright.cosi.driver.DriverSettings;
import io.bucketwright.cosi.proto.DataProtocol;
import io.bucketwright.cosi.sidecar.CosiSidecar;
import io.bucketwright.cosi.wire.SocketPath;
import io.bucketwright.cosi.wire.SocketServer;
import io.bucketwright.local.stores.StoreAccess;
import io.bucketwright.runtime.engine.ControllerProcess;
import io.bucketwright.store.AdministratorSecret;
import io.bucketwright.store.Stores;
import io.bucketwright.store.connection.SecretValue;
import io.fabric8.kubernetes.api.model.ObjectMetaBuilder;
import io.fabric8.kubernetes.api.model.Secret;
import io.fabric8.kubernetes.client.dsl.Resource;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.Base64;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Collectors;

/**
 * The same store with COSI: the bucket and the access to it are two requests that a driver serves.
 *
 * @param folder for the driver's socket
 */
record CosiDemo(DemoCluster cluster, StoreAccess store, Path folder, DemoSteps steps) {

    private static final String DRIVER = "s3.bucketwright.io";
    private static final String ACCESS = "reader";

    void run() throws InterruptedException {
        steps.begin("COSI: install the CRDs, a BucketClass and a BucketAccessClass");
        Crds.cosi().forEach(definition -> steps.print(cluster.install(definition)));
        classes();
        SocketPath socket = new SocketPath(folder.resolve("cosi.sock"));
        steps.begin("Start a driver, its sidecar and the controller");
        try (CosiDriver driver = driver();
                SocketServer _ = SocketServer.start(socket, List.of(driver));
                ControllerProcess sidecar = cluster.connect(CosiSidecar.builder())
                        .provisioner(provisioner())
                        .driver(socket.toString())
                        .build()
                        .start();
                ControllerProcess controller =
                        cluster.connect(CosiController.builder()).build().start()) {
            sidecar.awaitReady();
            controller.awaitReady();
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
                new DriverSettings(DRIVER, "s3", DataProtocol.S3, parameters(store)), Stores.installed(), own);
    }

    /** How the store is reached, as in a class. */
    static Map<String, String> parameters(StoreAccess store) {
        return Map.of("endpoint", store.endpoint(), "iamEndpoint", store.iamEndpoint(), "region", store.region());
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
        BucketRequest _ = cluster.apply(bucket, BucketRequest.class);
        BucketAccessRequest pending = cluster.apply(access, BucketAccessRequest.class);
        steps.print(pending.phase() + " after " + steps.sinceBegin());
        BucketAccessRequest bound =
                DemoCluster.await(access(), request -> request.phase() == BucketAccessRequestPhase.BOUND);
        steps.print(bound.phase() + " after " + steps.sinceBegin());
    }

    private void use() {
        steps.begin("The application reads Secret \"" + ACCESS + "\" with connection data and keys");
        Map<String, String> data = cluster.object(Secret.class, ACCESS).get().getData();
        new TreeMap<>(data).keySet().forEach(key -> steps.print(key + "=" + shown(key, data.getOrDefault(key, ""))));
        Map<String, String> clear = data.entrySet().stream()
                .collect(Collectors.toMap(Map.Entry::getKey, entry -> decoded(entry.getValue())));
        try (DemoApplication application = new DemoApplication(clear, data)) {
            steps.print("writes and reads back: \"" + application.writeAndRead("hello.txt", "Hello, COSI") + "\"");
            delete();
            // The garbage collector of Kubernetes deletes the Secret; it discovers new kinds only every 30 seconds.
            steps.print("its keys still give access: " + (application.hasAccess() ? "yes" : "no"));
        }
    }

    private void delete() {
        steps.begin("The application deletes both requests; the release policy is Delete, so the bucket is deleted with"
                + " its object");
        Resource<BucketRequest> request = cluster.object(BucketRequest.class, "archive");
        access().delete();
        request.delete();
        DemoCluster.awaitDeleted(access());
        DemoCluster.awaitDeleted(request);
        steps.print("Bucket and account are deleted.");
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

    private Resource<BucketAccessRequest> access() {
        return cluster.object(BucketAccessRequest.class, ACCESS);
    }
}
