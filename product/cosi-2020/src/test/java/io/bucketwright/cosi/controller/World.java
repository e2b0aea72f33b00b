package io.bucketwright.cosi.controller;

import static org.assertj.core.api.Assertions.assertThat;

import io.bucketwright.api.cosi.Bucket;
import io.bucketwright.api.cosi.BucketAccess;
import io.bucketwright.api.cosi.BucketAccessClass;
import io.bucketwright.api.cosi.BucketAccessRequest;
import io.bucketwright.api.cosi.BucketAccessRequestSpec;
import io.bucketwright.api.cosi.BucketClass;
import io.bucketwright.api.cosi.BucketRequest;
import io.bucketwright.api.cosi.BucketRequestSpec;
import io.bucketwright.api.cosi.PermittedNamespace;
import io.bucketwright.api.cosi.ReleasePolicy;
import io.bucketwright.cosi.fixture.Specs;
import io.bucketwright.runtime.ManualLeadership;
import io.bucketwright.runtime.ManualTime;
import io.bucketwright.runtime.objects.Metadata;
import io.bucketwright.runtime.testing.Fault;
import io.bucketwright.runtime.testing.InMemoryApiServer;
import io.bucketwright.runtime.testing.InMemoryProcess;
import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.api.model.Namespace;
import io.fabric8.kubernetes.api.model.NamespaceBuilder;
import io.fabric8.kubernetes.api.model.ObjectMeta;
import io.fabric8.kubernetes.api.model.ObjectMetaBuilder;
import io.fabric8.kubernetes.api.model.Secret;
import io.fabric8.kubernetes.client.CustomResource;
import java.time.Duration;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Consumer;
import java.util.function.UnaryOperator;
import java.util.stream.Stream;

/** The real controllers on an API server in memory, and a sidecar whose store is in memory too. */
final class World implements AutoCloseable {

    static final String STORE = "store";
    private static final int MAX_ROUNDS = 64;

    final Set<String> storeBuckets = new HashSet<>();
    final Map<String, String> accounts = new HashMap<>();
    final Set<String> deletedByAdministrator = new HashSet<>();

    /** What the sidecar reports instead of working; empty if it works. */
    String trouble = "";

    private final InMemoryApiServer server = new InMemoryApiServer();
    private final ManualTime time = new ManualTime();
    private final Set<String> bucketsCreated = new HashSet<>();
    private InMemoryProcess process = startProcess();
    private boolean dying;
    private int earlierWrites;
    private final InMemorySidecar sidecar = new InMemorySidecar(this);

    private final Map<Class<?>, List<?>> lists = new HashMap<>();
    private long listed = -1;

    /** The version that the checks have seen. */
    private long checked = -1;

    World(ReleasePolicy policy, String... alsoPermitted) {
        createBucketClass("fast", bucketClass -> {
            bucketClass.setReleasePolicy(policy.text());
            bucketClass.setAdditionalPermittedNamespaces(
                    Stream.of(alsoPermitted).map(this::permitted).toList());
        });
        createAccessClass("all", STORE + "/s3.test", "s3");
    }

    /** Starts a process. Its caches show what exists now, and later changes only when they are delivered to it. */
    InMemoryProcess startProcess() {
        return startProcess(new ManualLeadership());
    }

    InMemoryProcess startProcess(ManualLeadership leadership) {
        InMemoryProcess started = new InMemoryProcess(server, time, leadership);
        CosiControllers.register(started.context(), 1);
        return started.start();
    }

    // --- what users and administrators do

    void createRequest(String namespace, String name, Object... fields) {
        namespaceUid(namespace);
        BucketRequest request = new BucketRequest();
        request.setMetadata(named(namespace, name));
        request.setSpec(Specs.with(Specs.of(BucketRequestSpec.class, fields), "protocol", "s3"));
        create(request);
    }

    void createAccess(String namespace, String name, Object... fields) {
        namespaceUid(namespace);
        BucketAccessRequest request = new BucketAccessRequest();
        request.setMetadata(named(namespace, name));
        BucketAccessRequestSpec spec = Specs.of(BucketAccessRequestSpec.class, fields);
        request.setSpec(
                spec.bucketAccessClassName().isEmpty() ? Specs.with(spec, "bucketAccessClassName", "all") : spec);
        create(request);
    }

    void createBucketClass(String name, Consumer<BucketClass> more) {
        BucketClass bucketClass = new BucketClass();
        bucketClass.setMetadata(named("", name));
        bucketClass.setProvisioner(STORE + "/s3.test");
        bucketClass.setProtocol("s3");
        more.accept(bucketClass);
        create(bucketClass);
    }

    void createAccessClass(String name, String provisioner, String protocol) {
        BucketAccessClass accessClass = new BucketAccessClass();
        accessClass.setMetadata(named("", name));
        accessClass.setProvisioner(provisioner);
        accessClass.setProtocol(protocol);
        create(accessClass);
    }

    <T extends HasMetadata> T create(T object) {
        return server.create(object);
    }

    @SuppressWarnings("unchecked") // the class of a T is a class of T
    <T extends HasMetadata> void edit(T object, Consumer<T> change) {
        server.edit((Class<T>) object.getClass(), namespace(object), name(object), change);
    }

    void annotate(HasMetadata object, String key, String value) {
        editMetadata(object, metadata -> metadata.addToAnnotations(key, value));
    }

    void editMetadata(HasMetadata object, UnaryOperator<ObjectMetaBuilder> change) {
        edit(
                object,
                latest -> latest.setMetadata(change.apply(new ObjectMetaBuilder(latest.getMetadata()))
                        .build()));
    }

    void delete(HasMetadata object) {
        server.delete(object.getClass(), namespace(object), name(object));
    }

    /** Replaces the object by a copy of its metadata and spec, as a backup does: with another uid and without finalizers. */
    void restore(HasMetadata object) {
        editMetadata(object, metadata -> metadata.withFinalizers());
        delete(object);
        ObjectMeta exported = object.getMetadata();
        object.setMetadata(new ObjectMetaBuilder()
                .withNamespace(exported.getNamespace())
                .withName(exported.getName())
                .withLabels(exported.getLabels())
                .withAnnotations(exported.getAnnotations())
                .build());
        if (object instanceof CustomResource<?, ?> resource) {
            resource.setStatus(null);
        }
        create(object);
    }

    void pass(Duration duration) {
        time.advance(duration);
    }

    // --- the controller

    /** The process ends at its n-th write from now, before or after that takes effect. */
    void dieAt(int write, boolean after) {
        dying = true;
        AtomicInteger left = new AtomicInteger(write);
        process.faults(() -> {
            int number = left.decrementAndGet();
            return number > 0 ? Fault.NONE : number == 0 && after ? Fault.RESPONSE_LOST : Fault.REQUEST_LOST;
        });
    }

    /** The n-th write from now fails; later ones succeed. */
    void failAt(int write, Fault fault) {
        AtomicInteger left = new AtomicInteger(write);
        process.faults(() -> left.decrementAndGet() == 0 ? fault : Fault.NONE);
    }

    /** The API server refuses to create objects, or does no longer. */
    void refuseCreation(boolean refused) {
        process.faults(() -> refused ? Fault.CREATION_REFUSED : Fault.NONE);
    }

    /** The controllers work with current caches until nothing is left to do; a process that died is replaced. */
    void controller() {
        while (process.deliverNext()) {
            // The caches catch up before the first reconciliation.
        }
        process.settle();
        checkDeletions();
        if (dying) {
            restart();
        }
    }

    /** The controllers reconcile while their caches lag behind. */
    void controllerWithStaleCaches(int rounds) {
        for (int round = 0; round < rounds; round++) {
            process.runNext();
            checkDeletions();
            if (round % 3 == 0) {
                process.deliverNext();
            }
        }
    }

    private void restart() {
        dying = false;
        earlierWrites += process.writes().size();
        process.close();
        process = startProcess();
    }

    /** All writes of the controllers so far. */
    int writes() {
        return earlierWrites + process.writes().size();
    }

    /** Changes with every write to the API server. */
    long version() {
        return server.version();
    }

    /** How many Buckets the controllers have created. */
    int created() {
        return bucketsCreated.size();
    }

    /** Only an administrator deletes a Bucket that a request uses. */
    private void checkDeletions() {
        if (checked == server.version()) {
            return;
        }
        checked = server.version();
        for (Bucket bucket : all(Bucket.class)) {
            if (bucket.getSpec().creator().isPresent()) {
                bucketsCreated.add(uid(bucket));
            }
            if (Metadata.isBeingDeleted(bucket)) {
                assertUnused(bucket);
            }
        }
    }

    void assertUnused(Bucket bucket) {
        if (deletedByAdministrator.contains(uid(bucket))) {
            return;
        }
        assertThat(all(BucketRequest.class))
                .as("no request shares the Bucket that is deleted")
                .noneMatch(request -> request.getSpec().bucketInstanceName().equals(name(bucket))
                        && !Metadata.isBeingDeleted(request)
                        && CosiMetadata.hasFinalizer(request)
                        && BucketPermission.isEntitled(bucket, request, namespaceUid(namespace(request))));
    }

    void sidecar() {
        sidecar.work();
    }

    /** Everybody works until nothing changes any more. */
    void settle() {
        if (dying) {
            restart();
        }
        process.faults(() -> Fault.NONE);
        int quiet = 0;
        for (int round = 0; round < MAX_ROUNDS; round++) {
            long before = server.version();
            controller();
            sidecar();
            server.collectGarbage();
            time.advance(Duration.ofMinutes(10));
            quiet = server.version() == before ? quiet + 1 : 0;
            // Twice: the first round may only let time pass.
            if (quiet == 2) {
                return;
            }
        }
        throw new AssertionError("The objects do not settle; the last writes are " + process.writes());
    }

    // --- what is there

    /** All objects of a kind, to read. They are parsed once per change. */
    @SuppressWarnings("unchecked") // a list under a class is of that class
    <T extends HasMetadata> List<T> all(Class<T> type) {
        if (listed != server.version()) {
            listed = server.version();
            lists.clear();
        }
        return (List<T>) lists.computeIfAbsent(type, _ -> server.list(type));
    }

    private <T extends HasMetadata> Optional<T> get(Class<T> type, String namespace, String name) {
        return all(type).stream()
                .filter(object ->
                        namespace(object).equals(namespace) && name(object).equals(name))
                .findFirst();
    }

    Optional<BucketRequest> request(String namespace, String name) {
        return get(BucketRequest.class, namespace, name);
    }

    Optional<Bucket> bucket(String name) {
        return get(Bucket.class, "", name);
    }

    Optional<BucketAccessRequest> accessRequest(String namespace, String name) {
        return get(BucketAccessRequest.class, namespace, name);
    }

    Optional<BucketAccess> access(String name) {
        return get(BucketAccess.class, "", name);
    }

    Optional<Secret> secret(String namespace, String name) {
        return get(Secret.class, namespace, name);
    }

    PermittedNamespace permitted(String name) {
        return new PermittedNamespace(name, namespaceUid(name));
    }

    /** The uid of a namespace, which is created if it does not exist. */
    private String namespaceUid(String name) {
        return get(Namespace.class, "", name)
                .orElseGet(() -> create(
                        new NamespaceBuilder().withMetadata(named("", name)).build()))
                .getMetadata()
                .getUid();
    }

    static ObjectMeta named(String namespace, String name) {
        return new ObjectMetaBuilder()
                .withNamespace(namespace.isEmpty() ? null : namespace)
                .withName(name)
                .build();
    }

    private static String namespace(HasMetadata object) {
        return Objects.requireNonNullElse(object.getMetadata().getNamespace(), "");
    }

    static String name(HasMetadata object) {
        return object.getMetadata().getName();
    }

    static String uid(HasMetadata object) {
        return object.getMetadata().getUid();
    }

    @Override
    public void close() {
        process.close();
    }
}
