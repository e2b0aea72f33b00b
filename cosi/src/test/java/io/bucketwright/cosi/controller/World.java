package io.bucketwright.cosi.controller;

import io.bucketwright.cosi.bench.Specs;

import io.bucketwright.cosi.controller.accesses.AccessRequestObserver;
import io.bucketwright.cosi.controller.accesses.BucketAccessObserver;
import io.bucketwright.cosi.controller.buckets.BucketObserver;
import io.bucketwright.cosi.controller.requests.BucketRequestObserver;

import io.bucketwright.cosi.controller.steps.SecretConflicts;


import io.bucketwright.cosi.controller.steps.ControllerStep;

import io.bucketwright.cosi.controller.objects.NameReservations;

import io.bucketwright.cosi.controller.objects.AccessSecrets;

import io.bucketwright.cosi.controller.objects.CosiMetadata;
import io.bucketwright.runtime.objects.Metadata;

import io.bucketwright.cosi.controller.objects.BucketPermission;

import io.bucketwright.cosi.controller.objects.ClusterState;

import io.bucketwright.cosi.controller.accesses.BucketAccessDecision;

import io.bucketwright.cosi.controller.accesses.AccessRequestDecision;

import io.bucketwright.cosi.controller.buckets.BucketDecision;

import io.bucketwright.cosi.controller.requests.BucketRequestDecision;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.bucketwright.api.cosi.Bucket;
import io.bucketwright.api.cosi.BucketAccess;
import io.bucketwright.api.cosi.BucketAccessClass;
import io.bucketwright.api.cosi.BucketAccessRequest;
import io.bucketwright.api.cosi.BucketAccessRequestSpec;
import io.bucketwright.api.cosi.BucketClass;
import io.bucketwright.api.cosi.BucketPhase;
import io.bucketwright.api.cosi.BucketRequest;
import io.bucketwright.api.cosi.BucketRequestSpec;
import io.bucketwright.api.cosi.CosiNames;
import io.bucketwright.api.cosi.PermittedNamespace;
import io.bucketwright.api.cosi.ReleasePolicy;
import io.bucketwright.runtime.ObjectKey;
import io.bucketwright.runtime.TimeSource;
import io.bucketwright.runtime.controller.Decision;
import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.api.model.ObjectMeta;
import io.fabric8.kubernetes.api.model.ObjectMetaBuilder;
import io.fabric8.kubernetes.api.model.Secret;
import io.fabric8.kubernetes.api.model.SecretBuilder;
import io.fabric8.kubernetes.client.utils.Serialization;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.Function;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** A cluster with a sidecar, small enough to be run a thousand times a second. Observer and decisions are the real ones. */
final class World implements ClusterState {

    /** What a process that ends in the middle looks like from inside. */
    static final class Death extends RuntimeException {}

    static final String STORE = "store";
    private static final ObjectMapper JSON = new ObjectMapper();
    private static final int ENDLESS = 64;

    final Map<String, HasMetadata> objects = new TreeMap<>();
    final Set<String> storeBuckets = new HashSet<>();
    final Map<String, String> accounts = new HashMap<>();
    final Set<String> deletedByAdministrator = new HashSet<>();
    String trouble = "";
    int writes;
    int created;
    private Instant now = Instant.parse("2030-01-01T00:00:00Z");
    private int versions;
    private int keys;
    private int dieAtWrite;
    private boolean dieAfter;
    private final NameReservations names = new NameReservations();
    private final BucketRequestObserver requests = new BucketRequestObserver(this, names, new Clock());
    private final AccessRequestObserver accessRequests =
            new AccessRequestObserver(this, new SecretConflicts(), names, new Clock());

    World(ReleasePolicy policy, String... alsoPermitted) {
        BucketClass bucketClass = new BucketClass();
        bucketClass.setMetadata(meta("", "fast"));
        bucketClass.setProvisioner(STORE + "/s3.test");
        bucketClass.setProtocol("s3");
        bucketClass.setReleasePolicy(policy.text());
        bucketClass.setAdditionalPermittedNamespaces(Stream.of(alsoPermitted)
                .map(name -> new PermittedNamespace(name, namespaceUid(name)))
                .toList());
        put(bucketClass);
        BucketAccessClass accessClass = new BucketAccessClass();
        accessClass.setMetadata(meta("", "all"));
        accessClass.setProvisioner(STORE + "/s3.test");
        accessClass.setProtocol("s3");
        put(accessClass);
    }

    // --- what users and administrators do

    void createRequest(String namespace, String name, Object... fields) {
        BucketRequest request = new BucketRequest();
        request.setMetadata(meta(namespace, name));
        request.setSpec(Specs.with(Specs.of(BucketRequestSpec.class, fields), "protocol", "s3"));
        put(request);
    }

    void createAccess(String namespace, String name, Object... fields) {
        BucketAccessRequest request = new BucketAccessRequest();
        request.setMetadata(meta(namespace, name));
        request.setSpec(Specs.with(Specs.of(BucketAccessRequestSpec.class, fields), "bucketAccessClassName", "all"));
        put(request);
    }

    void delete(HasMetadata object) {
        @Nullable HasMetadata current = objects.get(key(object));
        if (current == null || !uid(current).equals(uid(object))) {
            return;
        }
        if (current.getMetadata().getFinalizers() == null
                || current.getMetadata().getFinalizers().isEmpty()) {
            objects.remove(key(object));
            collectGarbage(uid(object));
        } else if (current.getMetadata().getDeletionTimestamp() == null) {
            ObjectNode json = tree(current);
            json.withObject("/metadata").put("deletionTimestamp", now.toString());
            json.withObject("/metadata").put("generation", current.getMetadata().getGeneration() + 1);
            put(json, current);
        }
    }

    /** The next write but that many ends the process, before or after it takes effect. */
    void dieAt(int write, boolean after) {
        dieAtWrite = write;
        dieAfter = after;
    }

    void pass(Duration time) {
        now = now.plus(time);
    }

    <T extends HasMetadata> List<T> all(Class<T> type) {
        return objects.values().stream()
                .filter(type::isInstance)
                .map(type::cast)
                .toList();
    }

    // --- the controller

    /** Each loop looks at each object once; false if the process died. */
    boolean controller() {
        try {
            for (HasMetadata object : List.copyOf(objects.values())) {
                ObjectKey key = ObjectKey.of(object);
                switch (object) {
                    case BucketRequest _ -> loop(key, requests::observe, new BucketRequestDecision()::decide);
                    case Bucket _ -> loop(key, new BucketObserver(this)::observe, new BucketDecision()::decide);
                    case BucketAccessRequest _ ->
                        loop(key, accessRequests::observe, new AccessRequestDecision()::decide);
                    case BucketAccess _ -> loop(key, new BucketAccessObserver(this)::observe, new BucketAccessDecision()::decide);
                    default -> {}
                }
            }
            return true;
        } catch (Death e) {
            return false;
        }
    }

    private <V> void loop(ObjectKey key, Function<ObjectKey, V> observe, Function<V, Decision<ControllerStep>> decide) {
        for (int round = 0; round < ENDLESS; round++) {
            switch (decide.apply(observe.apply(key))) {
                case Decision.Finish<ControllerStep> _ -> {
                    return;
                }
                case Decision.Act<ControllerStep>(ControllerStep step) -> act(step);
            }
        }
        throw new AssertionError("No end with " + key);
    }

    private void act(ControllerStep step) {
        boolean fatal = dieAtWrite > 0 && --dieAtWrite == 0;
        if (fatal && !dieAfter) {
            throw new Death();
        }
        writes++;
        switch (step) {
            case ControllerStep.Create(HasMetadata object) -> {
                assertThat(objects).as("never created twice").doesNotContainKey(key(object));
                if (object instanceof Bucket) {
                    created++;
                }
                ObjectNode json = tree(object);
                json.putObject("status").put("phase", object instanceof Bucket ? "Creating" : "");
                HasMetadata fresh = read(json, object);
                fresh.setMetadata(fresh(fresh.getMetadata()));
                put(fresh);
            }
            case ControllerStep.Merge(HasMetadata object, Map<String, ?> fields) -> merge(object, fields);
            case ControllerStep.ReserveName reserve -> merge(reserve.request(), reserve.fields());
            case ControllerStep.Patch patch -> {
                Map<String, Object> spec = new HashMap<>();
                patch.patch().operations().forEach(operation -> {
                    assertThat(operation).containsEntry("path", "/spec/bindings");
                    spec.put("bindings", Objects.requireNonNull(operation.get("value")));
                });
                merge(patch.object(), Map.of("spec", spec));
            }
            case ControllerStep.UpdateStatus update -> merge(update.object(), Map.of("status", update.condition().toStatus(update.object(), now)));
            case ControllerStep.CopySecret copy -> copySecret(copy);
            case ControllerStep.Delete(HasMetadata object) -> {
                if (object instanceof Bucket bucket) {
                    assertNobodyAsksFor(bucket);
                }
                delete(object);
            }
            case ControllerStep.RemoveFinalizer remove -> merge(remove.object(), Metadata.withoutFinalizer(remove.object(), CosiNames.FINALIZER));
        }
        if (fatal) {
            throw new Death();
        }
    }

    private void copySecret(ControllerStep.CopySecret step) {
        Secret original = new AccessSecrets(this).granted(step.access()).orElseThrow();
        put(new SecretBuilder()
                .withMetadata(meta(
                        step.request().getMetadata().getNamespace(),
                        step.access().getSpec().applicationSecretName()))
                .editMetadata()
                .addToLabels(CosiNames.BUCKET_ACCESS_UID, uid(step.access()))
                .withOwnerReferences(Metadata.ownerReference(step.request()))
                .endMetadata()
                .withData(new HashMap<>(original.getData()))
                .build());
    }

    // --- the sidecar

    void sidecar() {
        all(Bucket.class).forEach(this::sidecar);
        all(BucketAccess.class).forEach(this::sidecar);
    }

    private void sidecar(Bucket bucket) {
        String name = bucket.getSpec().protocol().bucketName();
        boolean leaving = Metadata.isBeingDeleted(bucket);
        boolean bound = !bucket.getSpec().bindings().isEmpty();
        if (!leaving && !bucket.getSpec().protocol().provisioned()) {
            if (!trouble.isEmpty()) {
                if (!bucket.status().message().equals(trouble)) {
                    merge(bucket, Map.of("status", Map.of("message", trouble)));
                }
                return;
            }
            storeBuckets.add(name);
            merge(bucket, Map.of("spec", Map.of("protocol", Map.of("s3", Map.of("endpoint", "http://store")))));
        } else if (leaving && !bound && bucket.phase() != BucketPhase.DELETED) {
            if (!accessesOfBucket(bucket.getMetadata().getName()).isEmpty()) {
                return;
            }
            if (bucket.getSpec().onRelease() == ReleasePolicy.DELETE
                    && bucket.getSpec().creator().isPresent()) {
                assertNobodyNeeds(bucket);
                storeBuckets.remove(name);
            }
            merge(bucket, Map.of("status", Map.of("phase", "Deleted", "message", "")));
        } else if (!leaving && bound && bucket.phase() != BucketPhase.BOUND) {
            merge(bucket, Map.of("status", Map.of("phase", "Bound", "message", "")));
        } else if (!leaving && !bound && bucket.phase() == BucketPhase.BOUND) {
            merge(bucket, Map.of("status", Map.of("phase", "Released", "message", "")));
        }
    }

    /** The controller decides it; whoever asks for the Bucket after that is told that it goes. */
    private void assertNobodyAsksFor(Bucket bucket) {
        assertThat(requestsNaming(bucket.getMetadata().getName()))
                .as("a live request has a part in the bucket that is to be destroyed")
                .noneMatch(request -> hasAPart(request, bucket));
    }

    /** The one thing that cannot be undone. */
    private void assertNobodyNeeds(Bucket bucket) {
        if (deletedByAdministrator.contains(uid(bucket))) {
            return;
        }
        assertThat(requestsNaming(bucket.getMetadata().getName()))
                .as("a live request was given a part in the bucket that is destroyed")
                .noneMatch(request -> hasAPart(request, bucket) && CosiMetadata.hasFinalizer(request));
    }

    private boolean hasAPart(BucketRequest request, Bucket bucket) {
        return !Metadata.isBeingDeleted(request)
                && BucketPermission.isEntitled(
                        bucket, request, namespaceUid(request.getMetadata().getNamespace()));
    }

    private void sidecar(BucketAccess access) {
        if (!Metadata.hasFinalizer(access, CosiNames.PROVISIONER_FINALIZER)) {
            return;
        }
        String account = CosiNames.accountOf(uid(access));
        if (!trouble.isEmpty()) {
            if (!Metadata.annotation(access, CosiNames.PROVISIONER_REPORT).equals(trouble)) {
                merge(
                        access,
                        Map.of("metadata", Map.of("annotations", Map.of(CosiNames.PROVISIONER_REPORT, trouble))));
            }
            return;
        }
        if (Metadata.isBeingDeleted(access)) {
            accounts.remove(account);
            objects.remove("Secret/" + STORE + "/" + account);
            List<String> left = new ArrayList<>(access.getMetadata().getFinalizers());
            left.remove(CosiNames.PROVISIONER_FINALIZER);
            merge(access, Map.of("metadata", Map.of("finalizers", left)));
            return;
        }
        @Nullable HasMetadata secret = objects.get("Secret/" + STORE + "/" + account);
        String rotateAt = Metadata.annotation(access, CosiNames.ROTATE_AT);
        boolean filled = bucket(access.getSpec().bucketName())
                .filter(bucket -> !Metadata.isBeingDeleted(bucket))
                .filter(bucket -> bucket.getSpec().protocol().provisioned())
                .isPresent();
        if (filled && (secret == null || !rotateAt.equals(Metadata.annotation(secret, CosiNames.ROTATED_AT)))) {
            String key = "key-" + ++keys;
            accounts.put(account, key);
            put(new SecretBuilder()
                    .withMetadata(meta(STORE, account))
                    .editMetadata()
                    .addToLabels(CosiNames.BUCKET_ACCESS_UID, uid(access))
                    .addToAnnotations(CosiNames.BUCKET_ACCESS_UID, uid(access))
                    .addToAnnotations(CosiNames.ROTATED_AT, rotateAt)
                    .endMetadata()
                    .withData(new HashMap<>(Map.of("SECRET_KEY", key)))
                    .build());
        }
        if (!Metadata.annotation(access, CosiNames.PROVISIONER_REPORT).isEmpty()) {
            Map<String, @Nullable Object> none = new HashMap<>();
            none.put(CosiNames.PROVISIONER_REPORT, null);
            merge(access, Map.of("metadata", Map.of("annotations", none)));
        }
    }

    /** Everybody works until nothing happens any more. */
    void settle() {
        dieAtWrite = 0;
        int quiet = 0;
        for (int round = 0; round < ENDLESS; round++) {
            int before = versions;
            controller();
            sidecar();
            pass(Duration.ofSeconds(5));
            quiet = versions == before ? quiet + 1 : 0;
            // Twice: the first time may be patience.
            if (quiet == 2) {
                return;
            }
        }
        throw new AssertionError("No rest: " + objects.keySet());
    }

    // --- what is known

    @Override
    public Optional<BucketRequest> request(String namespace, String name) {
        return get(BucketRequest.class, namespace, name);
    }

    @Override
    public Optional<Bucket> bucket(String name) {
        return name.isEmpty() ? Optional.empty() : get(Bucket.class, "", name);
    }

    @Override
    public Optional<BucketAccessRequest> accessRequest(String namespace, String name) {
        return get(BucketAccessRequest.class, namespace, name);
    }

    @Override
    public Optional<BucketAccess> access(String name) {
        return get(BucketAccess.class, "", name);
    }

    @Override
    public List<BucketClass> bucketClasses() {
        return all(BucketClass.class);
    }

    @Override
    public Optional<BucketClass> bucketClass(String name) {
        return get(BucketClass.class, "", name);
    }

    @Override
    public Optional<BucketAccessClass> accessClass(String name) {
        return get(BucketAccessClass.class, "", name);
    }

    @Override
    public Optional<Secret> secret(String namespace, String name) {
        return get(Secret.class, namespace, name);
    }

    @Override
    public String namespaceUid(String name) {
        return "uid-of-" + name;
    }

    @Override
    public List<BucketRequest> requestsNaming(String bucket) {
        return all(BucketRequest.class).stream()
                .filter(it -> it.getSpec().bucketInstanceName().equals(bucket))
                .toList();
    }

    @Override
    public List<BucketAccessRequest> accessRequestsNaming(String access) {
        return all(BucketAccessRequest.class).stream()
                .filter(it -> it.getSpec().bucketAccessName().equals(access))
                .toList();
    }

    @Override
    public List<BucketAccess> accessesOfBucket(String name) {
        return all(BucketAccess.class).stream()
                .filter(it -> it.getSpec().bucketName().equals(name))
                .toList();
    }

    @Override
    public List<BucketAccess> accessesThrough(String requestUid) {
        return all(BucketAccess.class).stream()
                .filter(it -> it.getSpec().bucketRequest().uid().equals(requestUid))
                .toList();
    }

    @Override
    public List<BucketAccess> accessesFor(String accessRequestUid) {
        return all(BucketAccess.class).stream()
                .filter(it -> it.getSpec().bucketAccessRequestUid().equals(accessRequestUid))
                .toList();
    }

    @Override
    public Stream<BucketAccessRequest> accessRequestsThrough(BucketRequest request) {
        return all(BucketAccessRequest.class).stream()
                .filter(it -> it.getMetadata()
                        .getNamespace()
                        .equals(request.getMetadata().getNamespace()))
                .filter(it -> it.getSpec()
                                .bucketRequestName()
                                .equals(request.getMetadata().getName())
                        || it.getSpec()
                                .bucketInstance()
                                .equals(request.getSpec().bucketInstanceName()));
    }

    // --- the API server

    void merge(HasMetadata object, Map<String, ?> fields) {
        @Nullable HasMetadata current = objects.get(key(object));
        if (current == null || !uid(current).equals(uid(object))) {
            return;
        }
        ObjectNode json = tree(current);
        boolean changesSpec = fields.containsKey("spec");
        merge(json, JSON.valueToTree(fields));
        if (changesSpec) {
            json.withObject("/metadata").put("generation", current.getMetadata().getGeneration() + 1);
        }
        put(json, current);
        HasMetadata after = Objects.requireNonNull(objects.get(key(object)));
        if (Metadata.isBeingDeleted(after)
                && (after.getMetadata().getFinalizers() == null
                        || after.getMetadata().getFinalizers().isEmpty())) {
            objects.remove(key(object));
            collectGarbage(uid(object));
        }
    }

    private void collectGarbage(String owner) {
        objects.values().removeIf(it -> Metadata.isOwnedBy(it, owner));
    }

    private static void merge(ObjectNode target, JsonNode patch) {
        patch.properties().forEach(field -> {
            if (field.getValue().isNull()) {
                target.remove(field.getKey());
            } else if (field.getValue().isObject()
                    && target.get(field.getKey()) instanceof ObjectNode inner
                    && !field.getKey().equals("data")) {
                merge(inner, field.getValue());
            } else {
                target.set(field.getKey(), field.getValue());
            }
        });
    }

    private <T extends HasMetadata> Optional<T> get(Class<T> type, String namespace, String name) {
        return Optional.ofNullable(objects.get(type.getSimpleName() + "/" + namespace + "/" + name))
                .map(type::cast);
    }

    private void put(ObjectNode json, HasMetadata like) {
        put(read(json, like));
    }

    void put(HasMetadata object) {
        object.getMetadata().setResourceVersion(Integer.toString(++versions));
        objects.put(key(object), object);
    }

    private ObjectMeta meta(String namespace, String name) {
        return fresh(new ObjectMetaBuilder()
                .withNamespace(namespace.isEmpty() ? null : namespace)
                .withName(name)
                .build());
    }

    private ObjectMeta fresh(ObjectMeta meta) {
        return new ObjectMetaBuilder(meta)
                .withUid("0000-" + ++versions)
                .withGeneration(1L)
                .withCreationTimestamp(now.toString())
                .build();
    }

    private static ObjectNode tree(HasMetadata object) {
        return (ObjectNode) Serialization.unmarshal(Serialization.asJson(object), JsonNode.class);
    }

    private static HasMetadata read(ObjectNode json, HasMetadata like) {
        return Serialization.unmarshal(json.toString(), like.getClass());
    }

    private static String key(HasMetadata object) {
        String namespace = object.getMetadata().getNamespace();
        return object.getKind() + "/" + (namespace == null ? "" : namespace) + "/"
                + object.getMetadata().getName();
    }

    private static String uid(HasMetadata object) {
        return object.getMetadata().getUid();
    }

    private final class Clock implements TimeSource {
        @Override
        public Instant now() {
            return now;
        }

        @Override
        public long nanos() {
            return 0;
        }

        @Override
        public Alarm after(Duration delay, Runnable action) {
            throw new UnsupportedOperationException();
        }
    }
}
