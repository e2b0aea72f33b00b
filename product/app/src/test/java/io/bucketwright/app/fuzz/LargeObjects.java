package io.bucketwright.app.fuzz;

import io.bucketwright.app.fuzz.HostileObjects.TenantKind;
import io.bucketwright.runtime.controller.Problem;
import io.fabric8.kubernetes.api.model.GenericKubernetesResource;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientException;
import io.fabric8.kubernetes.client.dsl.Resource;
import io.fabric8.kubernetes.client.utils.Serialization;
import java.net.HttpURLConnection;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.function.Consumer;

/** Objects of all kinds of tenants that are almost as large as the API server admits. */
final class LargeObjects {

    private static final int LABELS = 30_000;
    private static final int ANNOTATIONS = 4_300;
    private static final String TEXT = "x".repeat(1_000_000);

    /** An object of an honest tenant, and what makes it large. */
    private record Template(TenantKind kind, Consumer<Map<String, Object>> enlarge) {}

    private static final List<Template> TEMPLATES = List.of(
            new Template(TenantKind.VOLUME_CLAIM, LargeObjects::label),
            new Template(TenantKind.POD, LargeObjects::annotate),
            new Template(
                    TenantKind.CLAIM, content -> at(content, "spec").put("additionalConfig", Map.of("maxSize", TEXT))),
            new Template(TenantKind.BUCKET_REQUEST, LargeObjects::label),
            new Template(TenantKind.ACCESS_REQUEST, LargeObjects::label),
            new Template(
                    TenantKind.RELEASED_CLAIM, content -> at(content, "spec").put("protocols", List.of(TEXT))),
            new Template(TenantKind.RELEASED_CLAIM, LargeObjects::label),
            new Template(TenantKind.RELEASED_ACCESS, LargeObjects::label),
            new Template(
                    TenantKind.RELEASED_ACCESS, content -> at(content, "spec").put("serviceAccountName", TEXT)),
            new Template(TenantKind.SECRET, LargeObjects::fill),
            new Template(TenantKind.SECRET, LargeObjects::label),
            new Template(TenantKind.CONFIG_MAP, LargeObjects::fill),
            new Template(TenantKind.CONFIG_MAP, LargeObjects::label));

    private final KubernetesClient admin;
    private final String namespace;
    private final HostileObjects honest;
    private final List<GenericKubernetesResource> created = new ArrayList<>();

    /** Those of them that nobody has reported yet. */
    private final List<GenericKubernetesResource> unreported = new ArrayList<>();

    /** @param honest whose objects become large */
    LargeObjects(KubernetesClient admin, String namespace, HostileObjects honest) {
        this.admin = admin;
        this.namespace = namespace;
        this.honest = honest;
    }

    /** Creates further objects, of each kind in turn. */
    void create(int count) {
        int first = created.size();
        for (int number = first; number < first + count; number++) {
            create(TEMPLATES.get(number % TEMPLATES.size()), "large-" + number + "-");
        }
    }

    private void create(Template template, String prefix) {
        String name = prefix + template.kind().singular.toLowerCase(Locale.ROOT);
        Map<String, Object> content = honest.template(template.kind(), name);
        at(content, "metadata").put("namespace", namespace);
        // The garbage collector deletes an object whose owner does not exist.
        at(content, "metadata").remove("ownerReferences");
        template.enlarge().accept(content);
        GenericKubernetesResource object = create(admin.resource(resource(content)));
        // Not the content: the test measures the memory of the controllers.
        object.setAdditionalProperties(Map.of());
        object.getMetadata().setLabels(Map.of());
        object.getMetadata().setAnnotations(Map.of());
        object.getMetadata().setManagedFields(List.of());
        created.add(object);
        // A Secret or ConfigMap requests nothing, so nobody has to report it.
        if (TenantKind.SERVED.contains(template.kind())) {
            unreported.add(object);
        }
    }

    /** The client repeats a request whose response is late, and then the object exists. */
    private static GenericKubernetesResource create(Resource<GenericKubernetesResource> object) {
        try {
            return object.create();
        } catch (KubernetesClientException e) {
            if (e.getCode() != HttpURLConnection.HTTP_CONFLICT) {
                throw e;
            }
            return object.get();
        }
    }

    /**
     * The names of large objects that nobody has reported as too large. Writing such an object can take longer than the
     * controller waits for the response: then its status has the reason, and there is no event. To read it costs a megabyte
     * each time, so at most one is read that has no reason yet, and none again that has one.
     */
    List<String> withoutReason() {
        Set<String> reported = new HashSet<>();
        admin.events().v1().events().inNamespace(namespace).list().getItems().stream()
                .filter(event -> Problem.TOO_LARGE.equals(event.getReason()))
                .forEach(event -> reported.add(event.getRegarding().getUid()));
        unreported.removeIf(object -> reported.contains(object.getMetadata().getUid()));
        while (!unreported.isEmpty()
                && String.valueOf(admin.resource(unreported.getFirst()).get().getAdditionalProperties())
                        .contains(Problem.TOO_LARGE)) {
            unreported.removeFirst();
        }
        return names(unreported);
    }

    void deleteAll() {
        created.forEach(object -> admin.resource(object).withGracePeriod(0).delete());
    }

    /** The names of those that exist. Names do not come back, so one that is deleted is not read again. */
    List<String> existing() {
        while (!created.isEmpty() && admin.resource(created.getFirst()).get() == null) {
            created.removeFirst();
        }
        return names(created);
    }

    private static List<String> names(List<GenericKubernetesResource> objects) {
        return objects.stream().map(object -> object.getMetadata().getName()).toList();
    }

    private static void label(Map<String, Object> content) {
        Map<String, Object> labels = at(at(content, "metadata"), "labels");
        for (int number = 0; number < LABELS; number++) {
            labels.put("l" + number, "");
        }
    }

    private static void fill(Map<String, Object> content) {
        boolean secret = "Secret".equals(content.get("kind"));
        at(content, "data").put("AWS_ACCESS_KEY_ID", secret ? "eHh4".repeat(TEXT.length() / 4) : TEXT);
    }

    private static void annotate(Map<String, Object> content) {
        Map<String, Object> annotations = at(at(content, "metadata"), "annotations");
        for (int number = 0; number < ANNOTATIONS; number++) {
            annotations.put("dynamic-pvc-provisioner.kubernetes.io/" + number + ".enabled", "true");
        }
    }

    @SuppressWarnings("unchecked") // parsed from YAML
    private static Map<String, Object> at(Map<String, Object> content, String field) {
        return (Map<String, Object>) content.computeIfAbsent(field, _ -> new LinkedHashMap<>());
    }

    private static GenericKubernetesResource resource(Map<String, Object> content) {
        return Serialization.unmarshal(Serialization.asJson(content), GenericKubernetesResource.class);
    }
}
