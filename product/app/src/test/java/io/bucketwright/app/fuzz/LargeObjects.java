package io.bucketwright.app.fuzz;

import io.bucketwright.app.ClaimingPod;
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

    private static final String RELEASED_CLAIM = """
            apiVersion: objectstorage.k8s.io/v1alpha1
            kind: BucketClaim
            spec: {bucketClassName: PREFIX-released, protocols: [S3]}
            """;

    private static final String RELEASED_ACCESS = """
            apiVersion: objectstorage.k8s.io/v1alpha1
            kind: BucketAccess
            spec: {bucketClaimName: none, bucketAccessClassName: PREFIX-released, credentialsSecretName: key}
            """;

    /** With the labels that tell controllers to look at it. Nobody has to report it: it requests nothing. */
    private static final String CHILD = """
            apiVersion: v1
            kind: KIND
            metadata:
              labels:
                bucket-provisioner: PREFIX.test-bucket
                cosi.io/bucket-access-uid: none
                cosi.io/provisioner-secret: "true"
            """;

    private static final Set<String> CHILDREN = Set.of("Secret", "ConfigMap");

    private record Template(String yaml, Consumer<Map<String, Object>> enlarge) {}

    private final KubernetesClient admin;
    private final String namespace;
    private final List<GenericKubernetesResource> created = new ArrayList<>();

    /** Those of them that nobody has reported yet. */
    private final List<GenericKubernetesResource> unreported = new ArrayList<>();

    LargeObjects(KubernetesClient admin, String namespace) {
        this.admin = admin;
        this.namespace = namespace;
    }

    private List<Template> templates() {
        return List.of(
                new Template("""
                        apiVersion: v1
                        kind: PersistentVolumeClaim
                        spec:
                          storageClassName: PREFIX-directory
                          accessModes: [ReadWriteMany]
                          resources: {requests: {storage: 1Mi}}
                        """, LargeObjects::label),
                new Template(ClaimingPod.yaml("NAME", "none"), LargeObjects::annotate),
                new Template("""
                        apiVersion: objectbucket.io/v1alpha1
                        kind: ObjectBucketClaim
                        spec: {storageClassName: PREFIX-s3, generateBucketName: photos}
                        """, content -> at(content, "spec").put("additionalConfig", Map.of("maxSize", TEXT))),
                new Template("""
                        apiVersion: cosi.io/v1alpha1
                        kind: BucketRequest
                        spec: {protocol: s3, bucketClassName: PREFIX-photos}
                        """, LargeObjects::label),
                new Template("""
                        apiVersion: cosi.io/v1alpha1
                        kind: BucketAccessRequest
                        spec: {bucketRequestName: none, bucketAccessClassName: PREFIX-read, accessSecretName: key}
                        """, LargeObjects::label),
                new Template(RELEASED_CLAIM, content -> at(content, "spec").put("protocols", List.of(TEXT))),
                new Template(RELEASED_CLAIM, LargeObjects::label),
                new Template(RELEASED_ACCESS, LargeObjects::label),
                new Template(RELEASED_ACCESS, content -> at(content, "spec").put("serviceAccountName", TEXT)),
                new Template(CHILD.replace("KIND", "Secret"), LargeObjects::fill),
                new Template(CHILD.replace("KIND", "Secret"), LargeObjects::label),
                new Template(CHILD.replace("KIND", "ConfigMap"), LargeObjects::fill),
                new Template(CHILD.replace("KIND", "ConfigMap"), LargeObjects::label));
    }

    /** Creates further objects, of each kind in turn. */
    void create(int count) {
        List<Template> templates = templates();
        int first = created.size();
        for (int number = first; number < first + count; number++) {
            create(templates.get(number % templates.size()), "large-" + number + "-");
        }
    }

    private void create(Template template, String prefix) {
        Map<String, Object> content = parse(template.yaml());
        String name = prefix + String.valueOf(content.get("kind")).toLowerCase(Locale.ROOT);
        content = parse(template.yaml().replace("NAME", name).replace("PREFIX", namespace));
        at(content, "metadata").put("name", name);
        at(content, "metadata").put("namespace", namespace);
        template.enlarge().accept(content);
        GenericKubernetesResource object = create(admin.resource(resource(content)));
        // Not the content: the test measures the memory of the controllers.
        object.setAdditionalProperties(Map.of());
        object.getMetadata().setLabels(Map.of());
        object.getMetadata().setAnnotations(Map.of());
        object.getMetadata().setManagedFields(List.of());
        created.add(object);
        if (!CHILDREN.contains(object.getKind())) {
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

    @SuppressWarnings("unchecked") // the templates above
    private static Map<String, Object> parse(String yaml) {
        return Serialization.unmarshal(yaml, Map.class);
    }

    private static GenericKubernetesResource resource(Map<String, Object> content) {
        return Serialization.unmarshal(Serialization.asJson(content), GenericKubernetesResource.class);
    }
}
