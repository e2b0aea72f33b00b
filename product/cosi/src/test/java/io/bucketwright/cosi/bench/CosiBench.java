package io.bucketwright.cosi.bench;

import static org.assertj.core.api.Assertions.assertThat;

import io.bucketwright.api.Crds;
import io.bucketwright.api.cosi.Bucket;
import io.bucketwright.api.cosi.BucketAccess;
import io.bucketwright.api.cosi.BucketAccessClass;
import io.bucketwright.api.cosi.BucketAccessRequest;
import io.bucketwright.api.cosi.BucketAccessRequestSpec;
import io.bucketwright.api.cosi.BucketAccessSpec;
import io.bucketwright.api.cosi.BucketClass;
import io.bucketwright.api.cosi.BucketProtocol;
import io.bucketwright.api.cosi.BucketProtocol.S3Bucket;
import io.bucketwright.api.cosi.BucketRequest;
import io.bucketwright.api.cosi.BucketRequestRef;
import io.bucketwright.api.cosi.BucketRequestSpec;
import io.bucketwright.api.cosi.BucketSpec;
import io.bucketwright.api.cosi.CosiNames;
import io.bucketwright.api.cosi.CosiStatus;
import io.bucketwright.api.cosi.PermittedNamespace;
import io.bucketwright.api.cosi.PolicyActions;
import io.bucketwright.api.cosi.Provisioner;
import io.bucketwright.api.cosi.status.BucketAccessRequestPhase;
import io.bucketwright.api.cosi.status.BucketRequestPhase;
import io.bucketwright.api.cosi.status.CosiPhase;
import io.bucketwright.cosi.controller.CosiController;
import io.bucketwright.runtime.engine.ClientOptions;
import io.bucketwright.runtime.engine.ControllerProcess;
import io.bucketwright.runtime.objects.Metadata;
import io.bucketwright.runtime.testing.StartedProcesses;
import io.bucketwright.testing.ApiUser;
import io.bucketwright.testing.Eventually;
import io.bucketwright.testing.Sentinel;
import io.bucketwright.testing.TestCluster;
import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.api.model.ObjectMeta;
import io.fabric8.kubernetes.api.model.ObjectMetaBuilder;
import io.fabric8.kubernetes.api.model.Secret;
import io.fabric8.kubernetes.client.KubernetesClient;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** The objects of one test: classes of a provisioner of its own, requests in its namespaces, and what became of them. */
public class CosiBench implements AutoCloseable {

    private static final String SENTINEL_PROVISIONER = "default/sentinel.test";

    public final Provisioner provisioner;

    /** Closes what the test opened, the last first. */
    protected final Deque<Runnable> open = new ArrayDeque<>();

    private final StartedProcesses processes = new StartedProcesses();
    private final TestCluster cluster;
    private final String namespace;
    private final List<HasMetadata> created = new ArrayList<>();
    private final List<String> namespaces = new ArrayList<>();

    /** Installs the CRDs and creates the namespaces, that of the application among them. */
    public CosiBench(TestCluster cluster, String namespace, Provisioner provisioner) {
        this.cluster = cluster;
        this.namespace = namespace;
        this.provisioner = provisioner;
        cluster.install(Crds.cosi());
        namespaces.add(cluster.namespace());
        Stream.of(namespace, provisioner.namespace())
                .filter(needed -> !namespaces.contains(needed))
                .forEach(this::namespaceNamed);
    }

    /** The protocol of all classes and requests. */
    protected String protocol() {
        return "s3";
    }

    public final KubernetesClient admin() {
        return cluster.admin();
    }

    public final String namespace() {
        return namespace;
    }

    /** Another namespace of this test. */
    public final String namespaceNamed(String name) {
        namespaces.add(cluster.createNamespace(name));
        return name;
    }

    public PermittedNamespace permitted(String name) {
        return new PermittedNamespace(
                name, admin().namespaces().withName(name).get().getMetadata().getUid());
    }

    public ControllerProcess controller(ApiUser user) {
        return controller(user, _ -> {});
    }

    public ControllerProcess controller(ApiUser user, Consumer<CosiController.Builder> more) {
        CosiController.Builder builder = ClientOptions.config(CosiController.builder(), user.config());
        more.accept(builder);
        return started(builder.build());
    }

    protected final ControllerProcess started(ControllerProcess process) {
        return processes.start(process);
    }

    /** A class of this test's provisioner; its name is the test's, and this suffix. */
    public String bucketClass(String suffix, Consumer<BucketClass> more) {
        BucketClass bucketClass = new BucketClass();
        bucketClass.setMetadata(named(null, cluster.namespace() + "-" + suffix));
        bucketClass.setProvisioner(provisioner.toString());
        bucketClass.setProtocol(protocol());
        bucketClass.setReleasePolicy("Delete");
        bucketClass.setAnonymousAccessMode("private");
        more.accept(bucketClass);
        return create(bucketClass).getMetadata().getName();
    }

    public String bucketClass() {
        return bucketClass("class", _ -> {});
    }

    public String accessClass() {
        BucketAccessClass accessClass = new BucketAccessClass();
        accessClass.setMetadata(named(null, cluster.namespace() + "-access"));
        accessClass.setProvisioner(provisioner.toString());
        accessClass.setProtocol(protocol());
        return create(accessClass).getMetadata().getName();
    }

    /** Changes the object as it is on the server now. */
    public final <T extends HasMetadata> void edit(@Nullable T object, Consumer<T> change) {
        cluster.edit(existing(object), change);
    }

    /** Creates both requests and waits until they are Bound. */
    public void bind(String request, String accessRequest, String bucketClass, String accessClass) {
        newBucket(request, bucketClass);
        access(accessRequest, request, accessClass);
        awaitBound(request);
        awaitAccess(accessRequest);
    }

    /** Creates an object that is deleted after the test. */
    public final <T extends HasMetadata> T create(T object) {
        T result = admin().resource(object).create();
        created.add(result);
        return result;
    }

    /** A BucketRequest with these fields of the spec: names and values in turn. */
    public BucketRequest createRequest(String inNamespace, String name, Object... fields) {
        BucketRequest request = new BucketRequest();
        request.setMetadata(named(inNamespace, name));
        request.setSpec(Specs.with(Specs.of(BucketRequestSpec.class, fields), "protocol", protocol()));
        return admin().resource(request).create();
    }

    /** A request for a new bucket. */
    public BucketRequest newBucket(String name, String bucketClass) {
        return createRequest(namespace, name, "bucketClassName", bucketClass);
    }

    /** A BucketAccessRequest with these fields of the spec: names and values in turn. */
    public BucketAccessRequest createAccess(String inNamespace, String name, Object... fields) {
        BucketAccessRequest request = new BucketAccessRequest();
        request.setMetadata(named(inNamespace, name));
        request.setSpec(Specs.of(BucketAccessRequestSpec.class, fields));
        return admin().resource(request).create();
    }

    /** A request for access through a BucketRequest of this namespace. */
    public BucketAccessRequest access(String name, String bucketRequest, String accessClass) {
        return createAccess(namespace, name, "bucketRequestName", bucketRequest, "bucketAccessClassName", accessClass);
    }

    public @Nullable BucketRequest request(String name) {
        return get(BucketRequest.class, namespace, name);
    }

    public @Nullable BucketAccessRequest accessRequest(String name) {
        return get(BucketAccessRequest.class, namespace, name);
    }

    public @Nullable Bucket bucketNamed(String name) {
        return admin().resources(Bucket.class).withName(name).get();
    }

    public @Nullable BucketAccess accessNamed(String name) {
        return admin().resources(BucketAccess.class).withName(name).get();
    }

    public Bucket bucketOf(String request) {
        return existing(bucketNamed(existing(request(request)).getSpec().bucketInstanceName()));
    }

    public BucketAccess accessOf(String accessRequest) {
        return existing(
                accessNamed(existing(accessRequest(accessRequest)).getSpec().bucketAccessName()));
    }

    public @Nullable Secret secret(String name) {
        return get(Secret.class, namespace, name);
    }

    /** The content of a Secret in clear; empty if there is none. */
    public Map<String, String> content(String inNamespace, String name) {
        Secret secret = get(Secret.class, inNamespace, name);
        return secret == null || secret.getData() == null ? Map.of() : TestCluster.decoded(secret);
    }

    private <T extends HasMetadata> @Nullable T get(Class<T> type, String inNamespace, String name) {
        return admin().resources(type).inNamespace(inNamespace).withName(name).get();
    }

    public static <T> T existing(@Nullable T object) {
        assertThat(object).isNotNull();
        return Objects.requireNonNull(object);
    }

    public BucketRequest awaitBound(String name) {
        await(name, BucketRequestPhase.BOUND);
        return existing(request(name));
    }

    public BucketAccessRequest awaitAccess(String name) {
        await(name, BucketAccessRequestPhase.BOUND);
        return existing(accessRequest(name));
    }

    /** Waits for the phase and returns the message. */
    public String await(String name, CosiPhase phase) {
        return await(namespace, name, phase);
    }

    /** Waits for the phase of the BucketRequest or BucketAccessRequest, and returns the message. */
    public String await(String inNamespace, String name, CosiPhase phase) {
        CosiStatus status = phase instanceof BucketRequestPhase
                ? await(BucketRequest.class, inNamespace, name, BucketRequest::phase, phase)
                        .status()
                : await(BucketAccessRequest.class, inNamespace, name, BucketAccessRequest::phase, phase)
                        .status();
        return status.message();
    }

    private <T extends HasMetadata> T await(
            Class<T> type, String inNamespace, String name, Function<T, CosiPhase> actual, CosiPhase phase) {
        Eventually.await(name + " to be " + phase.text())
                .untilAsserted(() -> assertThat(actual.apply(existing(get(type, inNamespace, name))))
                        .isEqualTo(phase));
        return existing(get(type, inNamespace, name));
    }

    /** Waits until a message of the request contains the text. */
    public void awaitMessage(String request, String text) {
        Eventually.await(text)
                .until(() -> existing(request(request)).status().message().contains(text));
    }

    public void awaitAccessMessage(String name, String text) {
        Eventually.await(text)
                .until(() -> existing(accessRequest(name)).status().message().contains(text));
    }

    public void deleteRequest(String name) {
        delete(BucketRequest.class, name);
    }

    public void deleteAccess(String name) {
        delete(BucketAccessRequest.class, name);
    }

    private void delete(Class<? extends HasMetadata> type, String name) {
        admin().resources(type).inNamespace(namespace).withName(name).delete();
    }

    /** Deletes both requests and waits until they no longer exist. */
    public void deleteBoth(String request, String accessRequest) {
        deleteRequest(request);
        deleteAccess(accessRequest);
        awaitRequestDeleted(request);
        awaitAccessDeleted(accessRequest);
    }

    public void awaitRequestDeleted(String name) {
        Eventually.await(name + " to be deleted").until(() -> request(name) == null);
    }

    public void awaitAccessDeleted(String name) {
        Eventually.await(name + " to be deleted").until(() -> accessRequest(name) == null);
    }

    /** The Buckets of this test's provisioner. */
    public List<Bucket> buckets() {
        return admin().resources(Bucket.class).list().getItems().stream()
                .filter(bucket -> bucket.getSpec().provisioner().equals(provisioner.toString()))
                .toList();
    }

    public List<BucketAccess> accesses() {
        return admin().resources(BucketAccess.class).list().getItems().stream()
                .filter(access -> access.getSpec().provisioner().equals(provisioner.toString()))
                .toList();
    }

    /**
     * Waits until the controller has handled everything that was written before: each of its four loops finishes a
     * sentinel. The sentinels have another provisioner, so no sidecar sees them.
     */
    public void awaitSettled() {
        Bucket bucket = bucket(Sentinel.newName(), SENTINEL_PROVISIONER, List.of());
        BucketAccess access = new BucketAccess();
        access.setMetadata(named(null, Sentinel.newName()));
        access.setSpec(new BucketAccessSpec(
                // Before it deletes the access, the controller reads that there is no such request.
                Sentinel.newName(),
                namespace,
                "none",
                new BucketRequestRef(namespace, "none", "none"),
                "",
                "",
                "none",
                name(bucket),
                "none",
                SENTINEL_PROVISIONER,
                "s3",
                PolicyActions.NONE,
                Map.of()));
        admin().resource(access).create();
        Eventually.await("the sentinels of Bucket and BucketAccess")
                .until(() -> Metadata.hasFinalizer(existing(bucketNamed(name(bucket))), CosiNames.FINALIZER)
                        && Metadata.isBeingDeleted(existing(accessNamed(name(access)))));
        // No sidecar revokes it.
        cluster.forceDelete(existing(accessNamed(name(access))));
        String id = Sentinel.newName();
        createRequest(namespace, id, "bucketInstanceName", name(bucket));
        createAccess(namespace, id, "bucketRequestName", id, "bucketAccessName", id, "bucketAccessClassName", id);
        await(id, BucketRequestPhase.NAMESPACE_NOT_PERMITTED);
        await(id, BucketAccessRequestPhase.INVALID_REQUEST);
        deleteAccess(id);
        deleteRequest(id);
        cluster.forceDelete(bucket);
    }

    /** An existing bucket that permits these namespaces. */
    public Bucket bucket(String name, String servedBy, List<PermittedNamespace> permitted) {
        Bucket bucket = new Bucket();
        bucket.setMetadata(named(null, name));
        BucketProtocol protocol =
                new BucketProtocol("s3", null, new S3Bucket("http://store.test", "old-archive", "", ""), null);
        bucket.setSpec(
                new BucketSpec(servedBy, "Delete", "private", "", List.of(), permitted, protocol, Map.of(), null));
        return create(bucket);
    }

    /** All objects of this test with a status or a finalizer, requests first. */
    private List<HasMetadata> objects() {
        List<HasMetadata> all = new ArrayList<>();
        for (Class<? extends HasMetadata> type :
                List.of(BucketAccessRequest.class, BucketRequest.class, Secret.class)) {
            namespaces.forEach(name ->
                    all.addAll(admin().resources(type).inNamespace(name).list().getItems()));
        }
        all.addAll(accesses());
        all.addAll(buckets());
        return all;
    }

    @Override
    public void close() {
        processes.close();
        open.forEach(Runnable::run);
        // No controller is left to remove the finalizers.
        objects().forEach(cluster::forceDelete);
        created.reversed().forEach(object -> admin().resource(object).delete());
        namespaces.stream()
                .skip(1)
                .forEach(name -> admin().namespaces().withName(name).delete());
    }

    private static String name(HasMetadata object) {
        return object.getMetadata().getName();
    }

    private static ObjectMeta named(@Nullable String inNamespace, String name) {
        return new ObjectMetaBuilder().withNamespace(inNamespace).withName(name).build();
    }
}
