package io.bucketwright.app.fuzz;

import io.bucketwright.app.fuzz.HostileObjects.TenantKind;
import io.bucketwright.app.fuzz.HostileObjects.TenantObject;
import io.fabric8.kubernetes.api.model.GenericKubernetesResource;
import io.fabric8.kubernetes.api.model.events.v1.Event;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientException;
import io.fabric8.kubernetes.client.dsl.base.PatchContext;
import io.fabric8.kubernetes.client.dsl.base.PatchType;
import io.fabric8.kubernetes.client.utils.Serialization;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Supplier;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** The objects of tenants in one namespace, and what their controllers report. */
record TenantObjects(KubernetesClient client, String namespace) {

    /** Reasons of Kubernetes' own controllers say nothing about ours. */
    private static final Set<String> FOREIGN_REASONS =
            Set.of("ExternalProvisioning", "FailedScheduling", "FailedBinding", "WaitForFirstConsumer");

    /** Creates the object, and edits it if it is to be edited or exists. False if the API server rejects it. */
    boolean create(TenantObject object) {
        boolean created = post(object.kind(), object.before().orElse(object.content()));
        // The Secret or ConfigMap of that name may be one that a controller has created for the claim.
        boolean edits = created ? object.before().isPresent() : !TenantKind.SERVED.contains(object.kind());
        return (edits && patch(object)) || created;
    }

    private boolean post(TenantKind kind, Map<String, Object> content) {
        return isAdmitted(() -> client.raw(kind.path(namespace), "POST", Serialization.asJson(content)));
    }

    private boolean patch(TenantObject object) {
        return isAdmitted(() -> client.genericKubernetesResources(object.kind().group, object.kind().singular)
                .inNamespace(namespace)
                .withName(object.name())
                .patch(PatchContext.of(PatchType.JSON_MERGE), Serialization.asJson(object.content())));
    }

    private static boolean isAdmitted(Supplier<?> request) {
        try {
            return request.get() != null;
        } catch (KubernetesClientException e) {
            // 413 and 500 (etcd): the object is too large.
            if (Set.of(400, 403, 404, 409, 413, 415, 422, 500).contains(e.getCode())) {
                return false;
            }
            throw e;
        }
    }

    List<GenericKubernetesResource> list(TenantKind kind) {
        return client.genericKubernetesResources(kind.group, kind.singular)
                .inNamespace(namespace)
                .list()
                .getItems();
    }

    /** Whether the controller of an object has finished it. Read by name: the lists have the large objects of others. */
    boolean isDone(TenantKind kind, String name) {
        GenericKubernetesResource object = find(kind, name);
        return object != null
                && switch (kind) {
                    case POD -> hasClaim(object);
                    case RELEASED_CLAIM -> Boolean.TRUE.equals(status(object, "bucketReady"));
                    case RELEASED_ACCESS -> Boolean.TRUE.equals(status(object, "accessGranted"));
                    default -> "Bound".equals(phase(object));
                };
    }

    private boolean hasClaim(GenericKubernetesResource pod) {
        GenericKubernetesResource claim =
                find(TenantKind.VOLUME_CLAIM, pod.getMetadata().getName() + "-data");
        return claim != null
                && claim.getMetadata().getOwnerReferences().stream()
                        .anyMatch(
                                owner -> owner.getUid().equals(pod.getMetadata().getUid()));
    }

    private @Nullable GenericKubernetesResource find(TenantKind kind, String name) {
        return client.genericKubernetesResources(kind.group, kind.singular)
                .inNamespace(namespace)
                .withName(name)
                .get();
    }

    /** Names of objects of that kind for which nobody reported a result or a reason, although they concern a controller. */
    List<String> unexplained(TenantKind kind, String names) {
        Set<String> explained = uidsWithEvents();
        if (kind == TenantKind.POD) {
            explained.addAll(claimsOfPods());
        }
        List<String> missing = new ArrayList<>();
        for (GenericKubernetesResource object : list(kind)) {
            boolean hasResult = !Set.of("", "Pending", "Creating").contains(phase(object))
                    || Boolean.TRUE.equals(status(object, "bucketReady"))
                    || Boolean.TRUE.equals(status(object, "accessGranted"))
                    || hasReason(object);
            boolean isReported =
                    explained.contains(object.getMetadata().getUid()) || (kind != TenantKind.POD && hasResult);
            if (!isReported && concerns(kind, object, names)) {
                missing.add(object.getKind() + " " + object.getMetadata().getName() + " "
                        + Serialization.asJson(object.getAdditionalProperties()));
            }
        }
        return missing;
    }

    /** Whether the object asks one of the controllers for something. A claim of no class or of another class does not. */
    private static boolean concerns(TenantKind kind, GenericKubernetesResource object, String names) {
        return switch (kind) {
            case CLAIM -> (names + "-s3").equals(field(object, "storageClassName"));
            case BUCKET_REQUEST, ACCESS_REQUEST, RELEASED_CLAIM -> true;
            case RELEASED_ACCESS -> (names + "-released").equals(field(object, "bucketAccessClassName"));
            case VOLUME_CLAIM ->
                (names + "-directory").equals(field(object, "storageClassName")) && field(object, "volumeName") == null;
            case POD ->
                Optional.ofNullable(object.getMetadata().getAnnotations()).stream()
                        .flatMap(annotations -> Stream.ofNullable(
                                annotations.get("dynamic-pvc-provisioner.kubernetes.io/data.enabled")))
                        .anyMatch("true"::equals);
            case SECRET, CONFIG_MAP -> false;
        };
    }

    private static @Nullable Object field(GenericKubernetesResource object, String name) {
        return object.getAdditionalProperties().get("spec") instanceof Map<?, ?> spec ? spec.get(name) : null;
    }

    private static String phase(GenericKubernetesResource object) {
        return object.getAdditionalProperties().get("status") instanceof Map<?, ?> status
                ? Optional.ofNullable(status.get("phase")).map(Object::toString).orElse("")
                : "";
    }

    private static @Nullable Object status(GenericKubernetesResource object, String field) {
        return object.getAdditionalProperties().get("status") instanceof Map<?, ?> status ? status.get(field) : null;
    }

    private static boolean hasReason(GenericKubernetesResource object) {
        return object.getAdditionalProperties().get("status") instanceof Map<?, ?> status
                && ((status.get("conditions") instanceof Collection<?> conditions && !conditions.isEmpty())
                        || (status.get("message") instanceof String message && !message.isEmpty()));
    }

    private Set<String> uidsWithEvents() {
        Set<String> uids = new HashSet<>();
        for (Event event :
                client.events().v1().events().inNamespace(namespace).list().getItems()) {
            if (event.getRegarding() != null && !FOREIGN_REASONS.contains(event.getReason())) {
                uids.add(event.getRegarding().getUid());
            }
        }
        return uids;
    }

    private Set<String> claimsOfPods() {
        Set<String> owners = new HashSet<>();
        list(TenantKind.VOLUME_CLAIM)
                .forEach(
                        claim -> claim.getMetadata().getOwnerReferences().forEach(owner -> owners.add(owner.getUid())));
        return owners;
    }

    void deleteAll(TenantKind kind) {
        client.genericKubernetesResources(kind.group, kind.singular)
                .inNamespace(namespace)
                .withGracePeriod(0)
                .delete();
    }
}
