package io.bucketwright.cosi.flow;

import io.bucketwright.runtime.engine.ControllerProcess;
import io.bucketwright.api.cosi.Bucket;
import io.bucketwright.api.cosi.BucketAccess;
import io.bucketwright.api.cosi.BucketAccessClass;
import io.bucketwright.api.cosi.BucketAccessRequest;
import io.bucketwright.api.cosi.BucketAccessRequestPhase;
import io.bucketwright.api.cosi.BucketAccessRequestSpec;
import io.bucketwright.api.cosi.BucketClass;
import io.bucketwright.api.cosi.BucketRequest;
import io.bucketwright.api.cosi.BucketRequestPhase;
import io.bucketwright.api.cosi.BucketRequestSpec;
import io.bucketwright.cosi.controller.CosiController;
import io.bucketwright.runtime.engine.ControllerProcess;
import io.bucketwright.cosi.driver.CosiDriver;
import io.bucketwright.cosi.driver.DriverName;
import io.bucketwright.cosi.driver.DriverSettings;
import io.bucketwright.cosi.driver.DriverCredentials;
import io.bucketwright.cosi.proto.DataProtocol;
import io.bucketwright.cosi.sidecar.CosiSidecar;
import io.bucketwright.cosi.sidecar.SidecarBench;
import io.bucketwright.cosi.wire.SocketPath;
import io.bucketwright.cosi.wire.SocketServer;
import io.bucketwright.local.ClusterStatus.StoreAccess;
import io.bucketwright.store.Stores;
import io.bucketwright.testing.ApiUser;
import io.bucketwright.testing.TestCluster;
import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.api.model.NamespaceBuilder;
import io.fabric8.kubernetes.api.model.ObjectMetaBuilder;
import io.fabric8.kubernetes.api.model.Secret;
import io.fabric8.kubernetes.api.model.SecretBuilder;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientException;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Base64;
import java.util.Deque;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.awaitility.Awaitility;
import org.awaitility.core.ConditionFactory;
import software.amazon.awssdk.auth.credentials.AwsBasicCredentials;
import software.amazon.awssdk.auth.credentials.StaticCredentialsProvider;
import software.amazon.awssdk.regions.Region;
import software.amazon.awssdk.services.s3.S3Client;

/** Everything of COSI at once: controller, sidecar, driver and a real S3 store; requests in a namespace of their own. */
final class Flow implements AutoCloseable {

    static final String DRIVER = "s3.test";

    private final TestCluster cluster;
    private final StoreAccess store;
    private final String tenant;
    private final Deque<Runnable> open = new ArrayDeque<>();
    private final List<HasMetadata> made = new ArrayList<>();

    Flow(TestCluster cluster, Path folder) {
        this.cluster = cluster;
        this.store = cluster.local().s3().orElseThrow();
        this.tenant = cluster.namespace() + "-tenant";
        SidecarBench.install(cluster.admin());
        make(new NamespaceBuilder()
                .withNewMetadata()
                .withName(tenant)
                .endMetadata()
                .build());
        make(new SecretBuilder()
                .withNewMetadata()
                .withNamespace(cluster.namespace())
                .withName("administrator")
                .withLabels(Map.of("cosi.io/provisioner-secret", "true"))
                .endMetadata()
                .withStringData(Map.of(
                        "AWS_ACCESS_KEY_ID", store.accessKeyId(),
                        "AWS_SECRET_ACCESS_KEY", store.secretAccessKey()))
                .build());
        CosiDriver driver = new CosiDriver(
                new DriverSettings(
                        new DriverName(DRIVER),
                        "s3",
                        DataProtocol.S3,
                        Map.of(
                                "endpoint", store.endpoint(),
                                "iamEndpoint", store.iamEndpoint(),
                                "region", store.region())),
                Stores.installed(),
                DriverCredentials.none());
        open.push(driver::close);
        SocketServer server = SocketServer.start(socket(folder), List.of(driver));
        open.push(server::close);
    }

    static SocketPath socket(Path folder) {
        return new SocketPath(folder.resolve("cosi.sock"));
    }

    KubernetesClient admin() {
        return cluster.admin();
    }

    String tenant() {
        return tenant;
    }

    void controller(ApiUser user) throws InterruptedException {
        ControllerProcess controller =
                CosiController.builder().client(user.config()).build().start();
        open.push(controller::close);
        controller.awaitReady();
    }

    ControllerProcess sidecar(ApiUser user, Path folder) throws InterruptedException {
        ControllerProcess sidecar = CosiSidecar.builder()
                .client(user.config())
                .provisioner(cluster.namespace() + "/" + DRIVER)
                .driver(socket(folder).toString())
                .build()
                .start();
        open.push(sidecar::close);
        sidecar.awaitReady();
        return sidecar;
    }

    void classes() {
        BucketClass bucketClass = new BucketClass();
        bucketClass.setMetadata(
                new ObjectMetaBuilder().withName(cluster.namespace()).build());
        bucketClass.setProvisioner(cluster.namespace() + "/" + DRIVER);
        bucketClass.setProtocol("s3");
        bucketClass.setReleasePolicy("Delete");
        bucketClass.setAnonymousAccessMode("private");
        bucketClass.setParameters(Map.of("cosi.io/provisioner-secret-name", "administrator"));
        make(bucketClass);
        BucketAccessClass accessClass = new BucketAccessClass();
        accessClass.setMetadata(
                new ObjectMetaBuilder().withName(cluster.namespace()).build());
        accessClass.setProvisioner(cluster.namespace() + "/" + DRIVER);
        accessClass.setProtocol("s3");
        make(accessClass);
    }

    void request(String name) {
        BucketRequest request = new BucketRequest();
        request.setMetadata(
                new ObjectMetaBuilder().withNamespace(tenant).withName(name).build());
        request.setSpec(BucketRequestSpec.builder()
                .protocol("s3")
                .bucketClassName(cluster.namespace())
                .build());
        admin().resource(request).create();
    }

    void accessRequest(String name, String bucketRequest) {
        BucketAccessRequest request = new BucketAccessRequest();
        request.setMetadata(
                new ObjectMetaBuilder().withNamespace(tenant).withName(name).build());
        request.setSpec(BucketAccessRequestSpec.builder()
                .bucketRequestName(bucketRequest)
                .bucketAccessClassName(cluster.namespace())
                .accessSecretName(name)
                .build());
        admin().resource(request).create();
    }

    void awaitBound(String request, String accessRequest) {
        await("both requests to be Bound")
                .until(() -> requestOf(request).map(BucketRequest::phase).equals(Optional.of(BucketRequestPhase.BOUND))
                        && access(accessRequest)
                                .map(BucketAccessRequest::phase)
                                .equals(Optional.of(BucketAccessRequestPhase.BOUND)));
    }

    Optional<BucketAccessRequest> access(String name) {
        return Optional.ofNullable(admin().resources(BucketAccessRequest.class)
                .inNamespace(tenant)
                .withName(name)
                .get());
    }

    Optional<BucketRequest> requestOf(String name) {
        return Optional.ofNullable(admin().resources(BucketRequest.class)
                .inNamespace(tenant)
                .withName(name)
                .get());
    }

    /** What the application finds in its Secret. */
    Map<String, String> handedOver(String name) {
        Map<String, String> clear = new HashMap<>();
        Secret secret = admin().secrets().inNamespace(tenant).withName(name).get();
        if (secret != null && secret.getData() != null) {
            secret.getData()
                    .forEach((key, value) ->
                            clear.put(key, new String(Base64.getDecoder().decode(value), StandardCharsets.UTF_8)));
        }
        return clear;
    }

    List<Bucket> buckets() {
        return admin().resources(Bucket.class).list().getItems().stream()
                .filter(it -> it.getSpec().provisioner().startsWith(cluster.namespace() + "/"))
                .toList();
    }

    List<BucketAccess> accesses() {
        return admin().resources(BucketAccess.class).list().getItems().stream()
                .filter(it -> it.getSpec().provisioner().startsWith(cluster.namespace() + "/"))
                .toList();
    }

    List<Secret> provisionerSecrets() {
        return admin().secrets().inNamespace(cluster.namespace()).list().getItems().stream()
                .filter(it -> it.getMetadata().getName().startsWith("ba-"))
                .toList();
    }

    S3Client administrator() {
        return client(store.endpoint(), store.accessKeyId(), store.secretAccessKey());
    }

    static S3Client application(Map<String, String> handedOver) {
        return client(
                handedOver.getOrDefault("BUCKET_ENDPOINT", ""),
                handedOver.getOrDefault("AWS_ACCESS_KEY_ID", ""),
                handedOver.getOrDefault("AWS_SECRET_ACCESS_KEY", ""));
    }

    private static S3Client client(String endpoint, String id, String secret) {
        return S3Client.builder()
                .endpointOverride(URI.create(endpoint))
                .region(Region.US_EAST_1)
                .forcePathStyle(true)
                .credentialsProvider(StaticCredentialsProvider.create(AwsBasicCredentials.create(id, secret)))
                .build();
    }

    /** Waits until nothing of this test has moved for a while. */
    void awaitSettled() {
        Map<String, String> seen = new HashMap<>();
        Awaitility.await("quiet")
                .atMost(Duration.ofSeconds(60))
                .pollInterval(Duration.ofMillis(800))
                .until(() -> {
                    Map<String, String> now = new HashMap<>();
                    List<HasMetadata> all = new ArrayList<>(buckets());
                    all.addAll(accesses());
                    all.addAll(admin().resources(BucketRequest.class)
                            .inNamespace(tenant)
                            .list()
                            .getItems());
                    all.addAll(admin().resources(BucketAccessRequest.class)
                            .inNamespace(tenant)
                            .list()
                            .getItems());
                    all.addAll(provisionerSecrets());
                    all.addAll(admin().secrets().inNamespace(tenant).list().getItems());
                    all.forEach(it ->
                            now.put(it.getMetadata().getUid(), it.getMetadata().getResourceVersion()));
                    boolean same = now.equals(seen);
                    seen.clear();
                    seen.putAll(now);
                    return same;
                });
    }

    static ConditionFactory await(String what) {
        return Awaitility.await(what).atMost(Duration.ofSeconds(90)).pollInterval(Duration.ofMillis(100));
    }

    @Override
    public void close() {
        while (!open.isEmpty()) {
            open.pop().run();
        }
        List<HasMetadata> left = new ArrayList<>(buckets());
        left.addAll(accesses());
        left.addAll(provisionerSecrets());
        left.addAll(admin().resources(BucketRequest.class)
                .inNamespace(tenant)
                .list()
                .getItems());
        left.addAll(admin().resources(BucketAccessRequest.class)
                .inNamespace(tenant)
                .list()
                .getItems());
        left.forEach(this::force);
        made.reversed().forEach(it -> admin().resource(it).delete());
    }

    private void force(HasMetadata object) {
        try {
            admin().resource(object).edit(it -> {
                it.getMetadata().setFinalizers(List.of());
                return it;
            });
            admin().resource(object).delete();
        } catch (KubernetesClientException e) {
            if (e.getCode() != 404 && e.getCode() != 409) {
                throw e;
            }
        }
    }

    private void make(HasMetadata object) {
        made.add(admin().resource(object).create());
    }
}
