package io.bucketwright.api.build;

import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.dataformat.yaml.YAMLFactory;
import com.fasterxml.jackson.dataformat.yaml.YAMLGenerator;
import io.bucketwright.api.Crds;
import io.bucketwright.api.cosi.CosiResource;
import io.bucketwright.api.objectstorage.ReleasedNames;
import io.fabric8.crd.generator.annotation.AdditionalPrinterColumn;
import io.fabric8.kubernetes.api.model.apiextensions.v1.CustomResourceColumnDefinition;
import io.fabric8.kubernetes.api.model.apiextensions.v1.CustomResourceColumnDefinitionBuilder;
import io.fabric8.kubernetes.api.model.apiextensions.v1.CustomResourceDefinition;
import io.fabric8.kubernetes.api.model.apiextensions.v1.CustomResourceDefinitionVersion;
import io.fabric8.kubernetes.api.model.apiextensions.v1.JSONSchemaProps;
import io.fabric8.kubernetes.client.CustomResource;
import io.fabric8.kubernetes.client.utils.Serialization;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.stream.Stream;

/**
 * Completes the generated definition of each kind: orders the printer columns as the type declares them (the generator sorts
 * them by path) and adds the columns that all kinds have, merges conditions by type, removes the empty spec and status of
 * kinds without them, makes the reference to a BucketClaim atomic, adds the approval that the API server requires for groups of
 * Kubernetes and the annotations that keep tools from deleting it, and renames the file.
 */
public final class CrdPostProcessor {
    private static final ObjectMapper YAML = new ObjectMapper(YAMLFactory.builder()
            .enable(YAMLGenerator.Feature.MINIMIZE_QUOTES)
            .disable(YAMLGenerator.Feature.SPLIT_LINES)
            .disable(YAMLGenerator.Feature.WRITE_DOC_START_MARKER)
            .build());

    /** With a definition, all its objects are deleted: Helm, Argo CD and Flux must not do it on their own. */
    private static final Map<String, String> KEPT = Map.of(
            "helm.sh/resource-policy", "keep",
            "argocd.argoproj.io/sync-options", "Prune=false,Delete=false",
            "kustomize.toolkit.fluxcd.io/prune", "disabled");

    private CrdPostProcessor() {}

    /** The argument is the folder of the generated files. */
    public static void main(String... arguments) throws IOException {
        Path folder = Path.of(arguments[0]);
        for (Class<? extends CustomResource<?, ?>> kind : everyKind()) {
            Path generated = folder.resolve(CustomResource.getCRDName(kind) + "-v1.yml");
            Files.writeString(folder.resolve(Crds.fileName(kind)), complete(kind, Files.readString(generated)));
            Files.delete(generated);
        }
    }

    private static List<Class<? extends CustomResource<?, ?>>> everyKind() {
        return Stream.of(Crds.OBJECT_BUCKET_KINDS, Crds.COSI_KINDS, Crds.RELEASED_KINDS)
                .flatMap(List::stream)
                .toList();
    }

    static String complete(Class<?> kind, String generated) throws IOException {
        CustomResourceDefinition crd = Serialization.unmarshal(generated, CustomResourceDefinition.class);
        crd.getSpec().getNames().setListKind(crd.getSpec().getNames().getKind() + "List");
        Map<String, String> annotations = new TreeMap<>(KEPT);
        if (crd.getSpec().getGroup().endsWith(".k8s.io")) {
            annotations.put(ReleasedNames.APPROVED, ReleasedNames.APPROVAL);
        }
        crd.getMetadata().setAnnotations(annotations);
        for (CustomResourceDefinitionVersion version : crd.getSpec().getVersions()) {
            List<CustomResourceColumnDefinition> columns = version.getAdditionalPrinterColumns();
            columns.sort(asDeclaredBy(kind));
            if (CosiResource.class.isAssignableFrom(kind)) {
                columns.add(column("Phase", ".status.phase", "string", 0));
                columns.add(column("Message", ".status.message", "string", 1));
            }
            columns.add(column("Age", ".metadata.creationTimestamp", "date", 0));
            JSONSchemaProps schema = version.getSchema().getOpenAPIV3Schema();
            schema.getProperties().values().removeIf(CrdPostProcessor::isEmptyObject);
            conditionsOf(schema).ifPresent(CrdPostProcessor::mergeByType);
            property(schema, "spec")
                    .flatMap(spec -> property(spec, "bucketClaim"))
                    .ifPresent(reference -> reference.setXKubernetesMapType("atomic"));
        }
        return "# Generated from " + kind.getName() + "; change that type instead.\n" + YAML.writeValueAsString(crd);
    }

    private static Comparator<CustomResourceColumnDefinition> asDeclaredBy(Class<?> kind) {
        List<String> declared = Arrays.stream(kind.getAnnotationsByType(AdditionalPrinterColumn.class))
                .map(AdditionalPrinterColumn::name)
                .toList();
        return Comparator.comparingInt(column -> declared.indexOf(column.getName()));
    }

    private static CustomResourceColumnDefinition column(String name, String path, String type, int priority) {
        return new CustomResourceColumnDefinitionBuilder()
                .withName(name)
                .withJsonPath(path)
                .withType(type)
                .withPriority(priority)
                .build();
    }

    /** The spec and the status of a class, whose fields are at the top level. */
    private static boolean isEmptyObject(JSONSchemaProps schema) {
        return "object".equals(schema.getType())
                && schema.getProperties().isEmpty()
                && schema.getAdditionalProperties() == null
                && !Boolean.TRUE.equals(schema.getXKubernetesPreserveUnknownFields());
    }

    private static Optional<JSONSchemaProps> conditionsOf(JSONSchemaProps schema) {
        return property(schema, "status").flatMap(status -> property(status, "conditions"));
    }

    private static Optional<JSONSchemaProps> property(JSONSchemaProps schema, String name) {
        return Optional.ofNullable(schema.getProperties().get(name));
    }

    private static void mergeByType(JSONSchemaProps conditions) {
        conditions.setXKubernetesListType("map");
        conditions.setXKubernetesListMapKeys(List.of("type"));
        conditions.getItems().getSchema().setRequired(List.of("type", "status"));
    }
}
