package io.bucketwright.cosi.controller;

import io.bucketwright.runtime.engine.ControllerProcess;

import static org.assertj.core.api.Assertions.assertThat;

import io.bucketwright.api.Crds;
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
import io.bucketwright.api.cosi.CosiNames;
import io.bucketwright.api.cosi.Provisioner;
import io.bucketwright.testing.ApiUser;
import io.bucketwright.testing.TestCluster;
import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.api.model.NamespaceBuilder;
import io.fabric8.kubernetes.api.model.ObjectMetaBuilder;
import io.fabric8.kubernetes.api.model.Secret;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientBuilder;
import io.fabric8.kubernetes.client.KubernetesClientException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Base64;
import java.util.Deque;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import org.awaitility.Awaitility;
import org.awaitility.core.ConditionFactory;
import org.jspecify.annotations.Nullable;

/** One test's workbench: classes of a provisioner of its own, requests in its namespace, and what became of them. */
final class Bench implements AutoCloseable {

    private static final Duration PATIENCE = Duration.ofSeconds(60);

    final FakeSidecar sidecar;
    final Provisioner provisioner;
    private final TestCluster cluster;
    private final KubernetesClient sidecarClient;
    private final Deque<ControllerProcess> open = new ArrayDeque<>();
    private final List<HasMetadata> made = new ArrayList<>();
    private final List<String> namespaces = new ArrayList<>();

    Bench(TestCluster cluster) {
        this.cluster = cluster;
        install();
        namespaces.add(cluster.namespace());
        provisioner = new Provisioner(namespace("store"), "s3.test");
        sidecarClient = new KubernetesClientBuilder()
                .withConfig(cluster.user("sidecar").config())
                .build();
        sidecar = new FakeSidecar(sidecarClient, provisioner);
    }

    private void install() {
        Crds.cosi().forEach(definition -> {
            admin().resource(definition).forceConflicts().serverSideApply();
            admin().resource(definition)
                    .waitUntilCondition(
                            crd -> crd.getStatus() != null
                                    && crd.getStatus().getConditions() != null
                                    && crd.getStatus().getConditions().stream()
                                            .anyMatch(it -> it.getType().equals("Established")
                                                    && it.getStatus().equals("True")),
                            60,
                            TimeUnit.SECONDS);
        });
    }

    KubernetesClient admin() {
        return cluster.admin();
    }

    String namespace() {
        return cluster.namespace();
    }

    /** Another namespace of this test. */
    String namespace(String suffix) {
        return namespaceNamed(cluster.namespace() + "-" + suffix);
    }

    String namespaceNamed(String name) {
        admin().resource(new NamespaceBuilder()
                        .withNewMetadata()
                        .withName(name)
                        .endMetadata()
                        .build())
                .create();
        namespaces.add(name);
        return name;
    }

    String uidOf(String namespace) {
        return admin().namespaces().withName(namespace).get().getMetadata().getUid();
    }

    ControllerProcess controller(ApiUser user) {
        return controller(user, builder -> {});
    }

    ControllerProcess controller(ApiUser user, Consumer<CosiController.Builder> more) {
        CosiController.Builder builder = CosiController.builder().client(user.config());
        more.accept(builder);
        ControllerProcess controller = builder.build().start();
        open.push(controller);
        try {
            controller.awaitReady();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException(e);
        }
        return controller;
    }

    /** A class of this test's provisioner; its name is the test's, and this suffix. */
    String bucketClass(String suffix, Consumer<BucketClass> more) {
        BucketClass bucketClass = new BucketClass();
        bucketClass.setMetadata(
                new ObjectMetaBuilder().withName(namespace() + "-" + suffix).build());
        bucketClass.setProvisioner(provisioner.toString());
        bucketClass.setProtocol("s3");
        bucketClass.setReleasePolicy("Delete");
        bucketClass.setAnonymousAccessMode("private");
        more.accept(bucketClass);
        return make(bucketClass).getMetadata().getName();
    }

    String bucketClass() {
        return bucketClass("class", it -> {});
    }

    String accessClass(String suffix, Consumer<BucketAccessClass> more) {
        BucketAccessClass accessClass = new BucketAccessClass();
        accessClass.setMetadata(
                new ObjectMetaBuilder().withName(namespace() + "-" + suffix).build());
        accessClass.setProvisioner(provisioner.toString());
        accessClass.setProtocol("s3");
        more.accept(accessClass);
        return make(accessClass).getMetadata().getName();
    }

    String accessClass() {
        return accessClass("access", it -> {});
    }

    Bucket bucket(Bucket bucket) {
        return make(bucket);
    }

    BucketRequest request(String name, BucketRequestSpec.Builder spec) {
        return request(namespace(), name, spec);
    }

    BucketRequest request(String namespace, String name, BucketRequestSpec.Builder spec) {
        BucketRequest request = new BucketRequest();
        request.setMetadata(
                new ObjectMetaBuilder().withNamespace(namespace).withName(name).build());
        request.setSpec(spec.protocol("s3").build());
        return admin().resource(request).create();
    }

    /** A request for a new bucket. */
    BucketRequest newBucket(String name, String bucketClass) {
        return request(name, BucketRequestSpec.builder().bucketClassName(bucketClass));
    }

    BucketAccessRequest access(String name, BucketAccessRequestSpec.Builder spec) {
        return access(namespace(), name, spec);
    }

    BucketAccessRequest access(String namespace, String name, BucketAccessRequestSpec.Builder spec) {
        BucketAccessRequest request = new BucketAccessRequest();
        request.setMetadata(
                new ObjectMetaBuilder().withNamespace(namespace).withName(name).build());
        request.setSpec(spec.build());
        return admin().resource(request).create();
    }

    /** A request for access through a request of this namespace. */
    BucketAccessRequest access(String name, String through, String accessClass) {
        return access(
                name,
                BucketAccessRequestSpec.builder().bucketRequestName(through).bucketAccessClassName(accessClass));
    }

    @Nullable
    BucketRequest request(String name) {
        return request(namespace(), name);
    }

    @Nullable
    BucketRequest request(String namespace, String name) {
        return admin().resources(BucketRequest.class)
                .inNamespace(namespace)
                .withName(name)
                .get();
    }

    @Nullable
    BucketAccessRequest accessRequest(String name) {
        return accessRequest(namespace(), name);
    }

    @Nullable
    BucketAccessRequest accessRequest(String namespace, String name) {
        return admin().resources(BucketAccessRequest.class)
                .inNamespace(namespace)
                .withName(name)
                .get();
    }

    @Nullable
    Bucket bucketNamed(String name) {
        return admin().resources(Bucket.class).withName(name).get();
    }

    @Nullable
    BucketAccess accessNamed(String name) {
        return admin().resources(BucketAccess.class).withName(name).get();
    }

    Bucket bucketOf(String request) {
        return there(bucketNamed(there(request(request)).getSpec().bucketInstanceName()));
    }

    BucketAccess accessOf(String accessRequest) {
        return there(accessNamed(there(accessRequest(accessRequest)).getSpec().bucketAccessName()));
    }

    @Nullable
    Secret secret(String name) {
        return secret(namespace(), name);
    }

    @Nullable
    Secret secret(String namespace, String name) {
        return admin().secrets().inNamespace(namespace).withName(name).get();
    }

    /** The key in a Secret, in clear. */
    String key(String name) {
        return key(namespace(), name);
    }

    String key(String namespace, String name) {
        Secret secret = secret(namespace, name);
        if (secret == null || secret.getData() == null) {
            return "";
        }
        return new String(
                Base64.getDecoder().decode(secret.getData().getOrDefault("SECRET_KEY", "")), StandardCharsets.UTF_8);
    }

    /** Whether the Secret in the application's namespace opens the bucket. */
    boolean opens(String accessRequest, String secret) {
        String account =
                CosiNames.accountOf(accessOf(accessRequest).getMetadata().getUid());
        return key(secret).equals(sidecar.accounts.get(account));
    }

    static <T> T there(@Nullable T object) {
        assertThat(object).isNotNull();
        return Objects.requireNonNull(object);
    }

    BucketRequest awaitBound(String name) {
        await(name + " to be Bound").until(() -> there(request(name)).phase() == BucketRequestPhase.BOUND);
        return there(request(name));
    }

    BucketAccessRequest awaitAccess(String name) {
        await(name + " to be Bound").until(() -> there(accessRequest(name)).phase() == BucketAccessRequestPhase.BOUND);
        return there(accessRequest(name));
    }

    /** Waits for the phase and gives the message. */
    String await(String name, BucketRequestPhase phase) {
        return await(namespace(), name, phase);
    }

    String await(String namespace, String name, BucketRequestPhase phase) {
        await(name + " to be " + phase)
                .untilAsserted(() ->
                        assertThat(there(request(namespace, name)).phase()).isEqualTo(phase));
        return there(request(namespace, name)).status().message();
    }

    String await(String name, BucketAccessRequestPhase phase) {
        return await(namespace(), name, phase);
    }

    String await(String namespace, String name, BucketAccessRequestPhase phase) {
        await(name + " to be " + phase)
                .untilAsserted(
                        () -> assertThat(there(accessRequest(namespace, name)).phase())
                                .isEqualTo(phase));
        return there(accessRequest(namespace, name)).status().message();
    }

    void deleteRequest(String name) {
        admin().resources(BucketRequest.class)
                .inNamespace(namespace())
                .withName(name)
                .delete();
    }

    void deleteAccess(String name) {
        admin().resources(BucketAccessRequest.class)
                .inNamespace(namespace())
                .withName(name)
                .delete();
    }

    void awaitRequestGone(String name) {
        await(name + " to be gone").until(() -> request(name) == null);
    }

    void awaitAccessGone(String name) {
        await(name + " to be gone").until(() -> accessRequest(name) == null);
    }

    /** The Buckets of this test's provisioner. */
    List<Bucket> buckets() {
        return admin().resources(Bucket.class).list().getItems().stream()
                .filter(bucket -> bucket.getSpec().provisioner().equals(provisioner.toString()))
                .toList();
    }

    List<BucketAccess> accesses() {
        return admin().resources(BucketAccess.class).list().getItems().stream()
                .filter(access -> access.getSpec().provisioner().equals(provisioner.toString()))
                .toList();
    }

    /** Waits until nothing of this test has moved for a while. */
    void awaitQuiet() {
        List<String> seen = new ArrayList<>();
        Awaitility.await("quiet")
                .atMost(PATIENCE)
                .pollInterval(Duration.ofMillis(700))
                .until(() -> {
                    List<String> now = versions();
                    boolean same = now.equals(seen);
                    seen.clear();
                    seen.addAll(now);
                    return same;
                });
    }

    private List<String> versions() {
        List<HasMetadata> all = new ArrayList<>();
        all.addAll(buckets());
        all.addAll(accesses());
        for (String namespace : namespaces) {
            all.addAll(requestsIn(namespace));
            all.addAll(accessRequestsIn(namespace));
            all.addAll(admin().secrets().inNamespace(namespace).list().getItems());
        }
        return all.stream().map(it -> it.getMetadata().getResourceVersion()).toList();
    }

    private List<BucketRequest> requestsIn(String namespace) {
        return admin().resources(BucketRequest.class)
                .inNamespace(namespace)
                .list()
                .getItems();
    }

    private List<BucketAccessRequest> accessRequestsIn(String namespace) {
        return admin().resources(BucketAccessRequest.class)
                .inNamespace(namespace)
                .list()
                .getItems();
    }

    static ConditionFactory await(String what) {
        return Awaitility.await(what).atMost(PATIENCE).pollInterval(Duration.ofMillis(100));
    }

    @Override
    public void close() {
        while (!open.isEmpty()) {
            open.pop().close();
        }
        sidecar.close();
        sidecarClient.close();
        // Nobody is left to take the finalizers off.
        for (String namespace : namespaces) {
            accessRequestsIn(namespace).forEach(this::force);
            requestsIn(namespace).forEach(this::force);
        }
        accesses().forEach(this::force);
        buckets().forEach(this::force);
        admin().secrets().inNamespace(provisioner.namespace()).list().getItems().forEach(this::force);
        made.forEach(object -> admin().resource(object).delete());
        namespaces.stream()
                .skip(1)
                .forEach(name -> admin().namespaces().withName(name).delete());
    }

    private <T extends HasMetadata> T make(T object) {
        T created = admin().resource(object).create();
        made.add(created);
        return created;
    }

    private void force(HasMetadata object) {
        try {
            admin().resource(object).edit(it -> {
                it.getMetadata().setFinalizers(List.of());
                return it;
            });
            admin().resource(object).delete();
        } catch (KubernetesClientException e) {
            // Somebody else was faster, which is as good.
            assertThat(e.getCode()).isIn(404, 409);
        }
    }
}
