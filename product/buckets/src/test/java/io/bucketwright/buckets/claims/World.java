package io.bucketwright.buckets.claims;

import static org.assertj.core.api.Assertions.assertThat;

import io.bucketwright.api.ObjectBucket;
import io.bucketwright.api.ObjectBucketClaim;
import io.bucketwright.api.ObjectBucketClaimSpec;
import io.bucketwright.api.Phase;
import io.bucketwright.buckets.MemoryStore;
import io.bucketwright.buckets.classes.ProvisionerName;
import io.bucketwright.buckets.objects.ChildObject;
import io.bucketwright.buckets.objects.ClaimGrants;
import io.bucketwright.buckets.objects.ProvisionerSettings;
import io.bucketwright.buckets.objects.RecordedBucket;
import io.bucketwright.buckets.objects.RotationRequest;
import io.bucketwright.buckets.stores.StoreSource;
import io.bucketwright.runtime.ManualLeadership;
import io.bucketwright.runtime.ManualTime;
import io.bucketwright.runtime.ObjectKey;
import io.bucketwright.runtime.controller.FailedAttempt;
import io.bucketwright.runtime.objects.Metadata;
import io.bucketwright.runtime.status.ReadyCondition;
import io.bucketwright.runtime.testing.Fault;
import io.bucketwright.runtime.testing.InMemoryApiServer;
import io.bucketwright.runtime.testing.InMemoryProcess;
import io.bucketwright.testing.Eventually;
import io.fabric8.kubernetes.api.model.Condition;
import io.fabric8.kubernetes.api.model.ConfigMap;
import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.api.model.Namespace;
import io.fabric8.kubernetes.api.model.NamespaceBuilder;
import io.fabric8.kubernetes.api.model.ObjectMetaBuilder;
import io.fabric8.kubernetes.api.model.Secret;
import io.fabric8.kubernetes.api.model.events.v1.Event;
import io.fabric8.kubernetes.api.model.storage.StorageClass;
import io.fabric8.kubernetes.api.model.storage.StorageClassBuilder;
import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.MeterRegistry;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.function.Consumer;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** A cluster in memory with one claim, in which the real claim controller runs. */
final class World implements AutoCloseable {

    static final String NAMESPACE = "team";
    static final String NAME = "mine";
    static final String CLASS = "fast";
    static final Duration SECOND = Duration.ofSeconds(1);
    private static final int MANY = 300;

    final MemoryStore store;
    private final StoreSource source;
    ProvisionerSettings settings = settings("cluster-1", "", false, Duration.ZERO);
    final InMemoryApiServer server = new InMemoryApiServer();
    final ManualTime time = new ManualTime();
    private InMemoryProcess process;
    private int countdown;
    private Fault fault = Fault.NONE;
    private boolean crashes;
    private boolean crashed;
    private boolean refuses;
    private int formerWrites;
    private double changesRequiredBefore;

    World(Map<String, String> parameters) {
        this(parameters, new MemoryStores());
    }

    /** With another way to get from a class to its store. */
    World(Map<String, String> parameters, MemoryStores source) {
        this.source = source;
        this.store = source.first();
        createClass(parameters);
        createNamespace(NAMESPACE);
        this.process = start();
    }

    static ObjectBucketClaimSpec.Builder spec() {
        return ObjectBucketClaimSpec.builder().storageClassName(CLASS);
    }

    /** A claim for a new bucket with a generated name. */
    static ObjectBucketClaimSpec.Builder photos() {
        return spec().generateBucketName("photos");
    }

    /** A world with this claim, in which nothing more happens. */
    static World settled(Map<String, String> parameters, ObjectBucketClaimSpec.Builder spec) {
        World world = new World(parameters);
        world.settle(spec);
        return world;
    }

    /** A world in which such a claim is Bound. */
    static World bound(Map<String, String> parameters) {
        return bound(parameters, new MemoryStores());
    }

    static World bound(Map<String, String> parameters, MemoryStores stores) {
        World world = new World(parameters, stores);
        world.bind(photos());
        return world;
    }

    /** Creates the claim and lets time pass until nothing more happens: it is Bound then. */
    void bind(ObjectBucketClaimSpec.Builder spec) {
        settle(spec);
        assertThat(phase()).isEqualTo(Phase.BOUND);
    }

    /** Another process finds nothing to do. */
    void assertRestartWritesNothing() {
        int writes = writes();
        restart();
        settle();
        assertThat(writes()).as("a restart writes nothing").isEqualTo(writes);
    }

    /** From the next start on, buckets without claim are reclaimed by their policy, by the orphans role. */
    void reclaimOrphans() {
        settings = settings("cluster-1", settings.namespace(), true, Duration.ZERO);
    }

    /** From the next start on, the store is asked in this interval whether it still has the bucket and its user. */
    void verifyEvery(Duration interval) {
        settings = settings("cluster-1", "", false, interval);
    }

    /** Settings of the provisioner of these tests. */
    static ProvisionerSettings settings(
            String cluster, String namespace, boolean reclaimOrphans, Duration verifyInterval) {
        return new ProvisionerSettings(
                new ProvisionerName("test.io/bucket"),
                Map.of("app", "x"),
                () -> cluster,
                namespace,
                reclaimOrphans,
                Map.of(),
                verifyInterval);
    }

    /** What the controller sees of a claim that has an ObjectBucket and neither Secret nor ConfigMap. */
    ClaimObservation observed(ClaimState state, @Nullable FailedAttempt failure) {
        RecordedBucket recorded = new RecordedBucket(bucket().orElseThrow());
        return new ClaimObservation(
                ObjectKey.of(claim().orElseThrow()),
                claim(),
                new ResolvedClass.Usable(recorded.bucketClass()),
                Optional.of(recorded),
                false,
                false,
                "uid-of-team",
                recorded.applicationObjects(),
                new ChildObject.Absent<>(),
                new ChildObject.Absent<>(),
                0,
                Optional.empty(),
                Optional.empty(),
                state,
                Optional.ofNullable(failure),
                time.moment(),
                time.now());
    }

    void createClass(Map<String, String> newParameters) {
        createClass(settings.provisioner().text(), newParameters);
    }

    void createClass(String provisioner, Map<String, String> newParameters) {
        server.create(new StorageClassBuilder()
                .withNewMetadata()
                .withName(CLASS)
                .endMetadata()
                .withProvisioner(provisioner)
                .withParameters(newParameters)
                .withReclaimPolicy("Delete")
                .build());
    }

    void replaceClass(Map<String, String> newParameters) {
        deleteClass();
        createClass(newParameters);
    }

    void createNamespace(String name) {
        server.create(new NamespaceBuilder()
                .withNewMetadata()
                .withName(name)
                .endMetadata()
                .build());
    }

    /** Creates the namespace again, which has another uid then. */
    void recreateNamespace(String name) {
        server.delete(Namespace.class, "", name);
        createNamespace(name);
    }

    void deleteClass() {
        server.delete(StorageClass.class, "", CLASS);
    }

    private InMemoryProcess start() {
        InMemoryProcess started = register(new ManualLeadership());
        started.faults(this::nextFault);
        return started.start();
    }

    /** Starts one more process beside the first one. */
    InMemoryProcess start(ManualLeadership leadership) {
        return register(leadership).start();
    }

    /** The metrics of the process, counted now. */
    MeterRegistry metrics() {
        return process.metrics();
    }

    /** Ends the first process. */
    void stop() {
        process.close();
    }

    private InMemoryProcess register(ManualLeadership leadership) {
        InMemoryProcess started = new InMemoryProcess(server, time, leadership);
        ClaimController.register(started.context(), settings, source, ClaimLimits.standard());
        return started;
    }

    /** The n-th write from now is lost, or its response is; the process continues. */
    void loseAt(int write, Fault kind) {
        countdown = write;
        fault = kind;
        crashes = false;
    }

    /** The process ends at the n-th write from now, before or after the write takes effect. */
    void crashAt(int write, boolean after) {
        loseAt(write, after ? Fault.RESPONSE_LOST : Fault.REQUEST_LOST);
        crashes = true;
    }

    /** From now on a quota refuses each object that is to be created. */
    void refuseCreations() {
        refuses = true;
    }

    /** The store does not respond to its next request for a bucket, a key or options, and carries it out that much later. */
    void respondLate(Duration delay) {
        store.respondLate(effect -> time.after(delay, effect));
    }

    void noFaults() {
        countdown = 0;
        store.before(call -> {});
        store.after(call -> {});
    }

    private Fault nextFault() {
        if (crashed) {
            return Fault.REQUEST_LOST;
        }
        if (countdown == 0 || --countdown > 0) {
            return refuses ? Fault.CREATION_REFUSED : Fault.NONE;
        }
        crashed = crashes;
        return fault;
    }

    /** Delivers all changes and reconciles until nothing is ready; no time passes. A crashed process is replaced. */
    void reconcile() {
        process.settle();
        restartIfCrashed();
    }

    /** Creates the claim and reconciles it; no time passes. */
    void reconcile(ObjectBucketClaimSpec.Builder spec) {
        claim(spec);
        reconcile();
    }

    /** Reconciles once with caches that show nothing new but the controller's own writes. */
    void reconcileStale() {
        process.runNext();
        restartIfCrashed();
    }

    /** Reconciles with caches that show everything new of one type, and nothing new of the others. */
    void reconcileWith(Class<? extends HasMetadata> type) {
        process.deliver(type);
        for (int round = 0; round < 20; round++) {
            process.runNext();
        }
    }

    private void restartIfCrashed() {
        if (crashed) {
            crashed = false;
            restart();
        }
    }

    void restart() {
        formerWrites += process.writes().size();
        process.close();
        process = start();
    }

    /** Lets time pass until nothing more happens. */
    void settle() {
        changesRequiredBefore = changesRequired();
        for (int round = 0; round < MANY; round++) {
            reconcile();
            if (!time.advanceToNextTimer()) {
                return;
            }
        }
        throw new AssertionError("the claim does not settle");
    }

    /** Creates the claim and lets time pass until nothing more happens. */
    void settle(ObjectBucketClaimSpec.Builder spec) {
        claim(spec);
        settle();
    }

    /** Lets that much time pass. */
    void settleFor(Duration duration) {
        reconcile();
        time.advance(duration);
        reconcile();
    }

    int writes() {
        return formerWrites + process.writes().size();
    }

    /** Whether the last {@link #settle} ended with a problem that requires a change, not a retry. */
    boolean requiresChange() {
        return changesRequired() > changesRequiredBefore;
    }

    /** How often the process reconciled a claim. */
    double reconciles() {
        return process.context().meters().find("bucketwright.reconciles").counters().stream()
                .mapToDouble(Counter::count)
                .sum();
    }

    private double changesRequired() {
        @Nullable
        Counter counter = process.context()
                .meters()
                .find("bucketwright.reconciles")
                .tag("result", "requireschange")
                .counter();
        return counter == null ? 0 : counter.count();
    }

    List<String> events() {
        return process.events().stream().map(event -> event.getReason()).toList();
    }

    /** The kinds of the objects that events with that reason are about. */
    List<String> kinds(String reason) {
        return process.events().stream()
                .filter(event -> reason.equals(event.getReason()))
                .map(event -> event.getRegarding().getKind())
                .toList();
    }

    /** The texts of the events with that reason. */
    List<String> events(String reason) {
        return process.events().stream()
                .filter(event -> reason.equals(event.getReason()))
                .map(Event::getNote)
                .toList();
    }

    void claim(ObjectBucketClaimSpec.Builder spec) {
        claim(NAMESPACE, NAME, spec);
    }

    void claim(String namespace, String name, ObjectBucketClaimSpec.Builder spec) {
        ObjectBucketClaim claim = new ObjectBucketClaim();
        claim.setMetadata(
                new ObjectMetaBuilder().withNamespace(namespace).withName(name).build());
        claim.setSpec(spec.build());
        server.create(claim);
    }

    /** What a restore from a backup leaves: the claim has a new uid, no status, and nothing else exists. */
    void restoreClaim() {
        ObjectBucketClaimSpec spec = claim().orElseThrow().getSpec();
        process.close();
        objects().forEach(this::forceDelete);
        claim(spec.toBuilder());
        process = start();
    }

    /** Removes the finalizers of the object and deletes it. */
    void forceDelete(HasMetadata object) {
        String namespace = Objects.requireNonNullElse(object.getMetadata().getNamespace(), "");
        String name = object.getMetadata().getName();
        server.edit(
                object.getClass(), namespace, name, found -> found.getMetadata().setFinalizers(List.of()));
        server.delete(object.getClass(), namespace, name);
        assertThat(server.get(object.getClass(), namespace, name)).isEmpty();
    }

    /** Removes the finalizers of the object of the claim's name and deletes it. */
    void forceDelete(Class<? extends HasMetadata> type) {
        server.get(type, NAMESPACE, NAME).ifPresent(this::forceDelete);
    }

    void forceDeleteBucket() {
        forceDelete(objectBucket());
    }

    void deleteBucket() {
        server.delete(ObjectBucket.class, "", objectBucket().getMetadata().getName());
    }

    String reason(String namespace, String name) {
        return ready(namespace, name).map(Condition::getReason).orElse("");
    }

    String message(String namespace, String name) {
        return ready(namespace, name).map(Condition::getMessage).orElse("");
    }

    private Optional<Condition> ready(String namespace, String name) {
        return server.get(ObjectBucketClaim.class, namespace, name)
                .flatMap(found -> Optional.ofNullable(found.getStatus()))
                .flatMap(status -> ReadyCondition.find(status.conditions()));
    }

    Optional<ObjectBucketClaim> claim() {
        return server.get(ObjectBucketClaim.class, NAMESPACE, NAME);
    }

    Phase phase() {
        return claim().orElseThrow().phase();
    }

    /** The name of the bucket in the claim. */
    String claimedBucket() {
        return claim().orElseThrow().getSpec().bucket().orElseThrow();
    }

    /** The name of the bucket in the store. */
    String bucketName() {
        return store.names().iterator().next();
    }

    /** Whether the credentials in that Secret open the bucket in the store. */
    boolean opens(Secret secret) {
        return store.opens(secret, bucketName());
    }

    ObjectBucket objectBucket() {
        return bucket().orElseThrow();
    }

    /** What the ObjectBucket records about the credentials. */
    ClaimGrants grants() {
        return new RecordedBucket(objectBucket()).grants();
    }

    /** The Secret that applications read. */
    Secret published() {
        return secret().orElseThrow();
    }

    /** The content of the ConfigMap. */
    Map<String, String> config() {
        return configMap().orElseThrow().getData();
    }

    Optional<ObjectBucket> bucket() {
        return server.list(ObjectBucket.class).stream().findFirst();
    }

    Optional<Secret> secret() {
        return server.get(Secret.class, NAMESPACE, NAME);
    }

    Optional<ConfigMap> configMap() {
        return server.get(ConfigMap.class, NAMESPACE, NAME);
    }

    /** The claim and everything that was created for it. */
    List<HasMetadata> objects() {
        return Stream.<Optional<? extends HasMetadata>>of(claim(), bucket(), secret(), configMap())
                .flatMap(Optional::stream)
                .<HasMetadata>map(object -> object)
                .toList();
    }

    /** Neither objects of the claim nor a bucket nor a user. */
    void assertNothingLeft() {
        assertThat(objects()).isEmpty();
        assertThat(store.names()).isEmpty();
        assertThat(store.principals()).isZero();
    }

    void editClaim(Consumer<ObjectBucketClaim> change) {
        if (claim().isPresent()) {
            server.edit(ObjectBucketClaim.class, NAMESPACE, NAME, change);
        }
    }

    void setOptions(Map<String, String> options) {
        editClaim(claim -> claim.setSpec(
                claim.getSpec().toBuilder().additionalConfig(options).build()));
    }

    /** Replaces the options of the claim, and lets time pass until nothing more happens. */
    void settleOptions(Map<String, String> options) {
        setOptions(options);
        settle();
    }

    /** Requests a rotation and reconciles: the overlap begins. */
    void rotate() {
        requestRotation();
        reconcile();
    }

    void requestRotation() {
        editClaim(claim -> {
            Map<String, String> annotations = new HashMap<>(Metadata.annotations(claim));
            annotations.put(RotationRequest.ANNOTATION, time.now().toString());
            claim.getMetadata().setAnnotations(annotations);
        });
    }

    void editBucket(Consumer<ObjectBucket> change) {
        bucket().ifPresent(found ->
                server.edit(ObjectBucket.class, "", found.getMetadata().getName(), change));
    }

    void editSecret(Consumer<Secret> change) {
        if (secret().isPresent()) {
            server.edit(Secret.class, NAMESPACE, NAME, change);
        }
    }

    void editConfigMap(Consumer<ConfigMap> change) {
        if (configMap().isPresent()) {
            server.edit(ConfigMap.class, NAMESPACE, NAME, change);
        }
    }

    /** The reason and message of the claim's Ready condition. */
    Condition ready() {
        return ReadyCondition.find(Objects.requireNonNull(claim().orElseThrow().getStatus())
                        .conditions())
                .orElseThrow();
    }

    /** Why the claim is Ready, or is not, and parts of the message. */
    void assertReady(String reason, String... message) {
        assertThat(ready().getReason()).isEqualTo(reason);
        assertThat(ready().getMessage()).contains(message);
    }

    void awaitEvent(String reason) {
        Eventually.await("the event " + reason).until(() -> events().contains(reason));
    }

    /** Deletes the claim, and lets time pass until nothing more happens. */
    void deleteClaim() {
        delete(ObjectBucketClaim.class);
        settle();
    }

    /** Deletes the claim: no object of it is left. */
    void assertDeletable() {
        deleteClaim();
        assertThat(objects()).isEmpty();
    }

    void delete(Class<? extends HasMetadata> type) {
        server.delete(type, NAMESPACE, NAME);
    }

    @Override
    public void close() {
        process.close();
    }
}
