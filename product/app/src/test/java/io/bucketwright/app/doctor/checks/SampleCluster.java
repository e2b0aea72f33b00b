package io.bucketwright.app.doctor.checks;

import io.bucketwright.api.Crds;
import io.bucketwright.app.doctor.observation.AccountAccess;
import io.bucketwright.app.doctor.observation.CheckName;
import io.bucketwright.app.doctor.observation.ClusterObservation;
import io.bucketwright.app.doctor.observation.DoctorScope;
import io.bucketwright.app.doctor.observation.ListedObjects;
import io.bucketwright.app.doctor.observation.Listing;
import io.bucketwright.app.doctor.observation.ParsedClass;
import io.bucketwright.app.doctor.observation.RoleLease;
import io.bucketwright.app.doctor.observation.RoleWorkload;
import io.bucketwright.app.doctor.observation.ServedProvisioners;
import io.bucketwright.app.doctor.observation.StoreAnswer;
import io.bucketwright.app.options.PublishedSettings;
import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.api.model.apiextensions.v1.CustomResourceDefinition;
import io.fabric8.kubernetes.api.model.apiextensions.v1.CustomResourceDefinitionBuilder;
import io.fabric8.kubernetes.api.model.apiextensions.v1.JSONSchemaProps;
import io.fabric8.kubernetes.api.model.coordination.v1.Lease;
import io.fabric8.kubernetes.api.model.storage.StorageClass;
import io.fabric8.kubernetes.client.utils.Serialization;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Predicate;
import java.util.stream.Stream;

/** A cluster without problems, at a fixed time, to which a test adds one. */
final class SampleCluster {

    static final Instant NOW = Instant.parse("2026-11-17T12:00:00Z");

    String version = "v1.36.3";
    String namespace = "";
    List<RoleLease> leases = new ArrayList<>(
            List.of(lease("bucketwright-buckets"), lease("bucketwright-bucketclaims"), lease("bucketwright-cosi")));
    String leasesProblem = "";
    List<RoleWorkload> workloads = new ArrayList<>();
    List<PublishedSettings> settings = new ArrayList<>();
    Set<String> ignored = new HashSet<>();
    boolean allProvisionersKnown = true;
    List<AccountAccess> access = new ArrayList<>();
    List<ParsedClass> classes = new ArrayList<>();
    List<StoreAnswer> stores = new ArrayList<>();
    Map<String, String> refused = new HashMap<>();

    /** Why the objects of a kind cannot be listed. */
    final Map<Class<?>, String> problems = new HashMap<>();

    private final Map<Class<?>, List<HasMetadata>> objects = new HashMap<>();

    SampleCluster() {
        Stream.of(Crds.objectBuckets(), Crds.released(), Crds.cosi())
                .flatMap(List::stream)
                .map(SampleCluster::established)
                .forEach(this::add);
    }

    void add(HasMetadata object) {
        objects.computeIfAbsent(object.getClass(), _ -> new ArrayList<>()).add(object);
    }

    /** This is now the only object of its kind. */
    void replace(HasMetadata object) {
        objects.remove(object.getClass());
        add(object);
    }

    <T extends HasMetadata> void removeIf(Class<T> kind, Predicate<T> condition) {
        objects.getOrDefault(kind, List.of()).removeIf(object -> condition.test(kind.cast(object)));
    }

    /** The findings, each as severity, reason and object. */
    List<String> findings() {
        return diagnosis().stream()
                .map(finding -> finding.severity() + " " + finding.reason() + " " + finding.object())
                .toList();
    }

    /** The message of the only finding. */
    String message() {
        List<Finding> found = diagnosis();
        if (found.size() != 1) {
            throw new AssertionError("one finding expected, got " + found);
        }
        return found.getFirst().message();
    }

    List<Finding> diagnosis() {
        DoctorScope scope = new DoctorScope(
                EnumSet.allOf(CheckName.class),
                namespace,
                "bucketwright",
                Set.of(),
                "",
                Map.of(),
                Duration.ofMinutes(5));
        return Diagnosis.of(new ClusterObservation(
                scope,
                NOW,
                version,
                ListedObjects.read(kind -> new Listing<>(
                        ListedObjects.name(kind),
                        objects.getOrDefault(kind, List.of()),
                        problems.getOrDefault(kind, ""))),
                new Listing<>("Lease", leases, leasesProblem),
                Listing.of("Deployment", workloads),
                new ServedProvisioners(settings, ignored, allProvisionersKnown, scope),
                access,
                classes,
                stores,
                refused));
    }

    /** A Lease that was renewed a second ago. */
    static RoleLease lease(String name) {
        return lease("bucketwright", name, "controller-0-abc", NOW.minusSeconds(1));
    }

    static RoleLease lease(String namespace, String name, String holder, Instant renewed) {
        return RoleLease.of(yaml(Lease.class, """
                        apiVersion: coordination.k8s.io/v1
                        kind: Lease
                        metadata: {namespace: %s, name: %s}
                        spec: {holderIdentity: "%s", leaseDurationSeconds: 15, renewTime: "%s"}
                        """.formatted(
                                namespace, name, holder, renewed.toString().replace("Z", ".000000Z"))))
                .orElseThrow();
    }

    static StorageClass storageClass(String name, String provisioner) {
        return yaml(StorageClass.class, """
                apiVersion: storage.k8s.io/v1
                kind: StorageClass
                metadata: {name: %s, uid: 1-2-3}
                provisioner: %s
                """.formatted(name, provisioner));
    }

    CustomResourceDefinition definition(String name) {
        return objects.getOrDefault(CustomResourceDefinition.class, List.of()).stream()
                .filter(found -> found.getMetadata().getName().equals(name))
                .map(CustomResourceDefinition.class::cast)
                .findFirst()
                .orElseThrow();
    }

    /** The schema of a definition, to change it. */
    static Map<String, JSONSchemaProps> properties(CustomResourceDefinition definition) {
        return definition
                .getSpec()
                .getVersions()
                .getFirst()
                .getSchema()
                .getOpenAPIV3Schema()
                .getProperties();
    }

    static CustomResourceDefinition established(CustomResourceDefinition definition) {
        return new CustomResourceDefinitionBuilder(definition)
                .withNewStatus()
                .addNewCondition()
                .withType("Established")
                .withStatus("True")
                .endCondition()
                .endStatus()
                .build();
    }

    static <T> T yaml(Class<T> type, String text) {
        return Serialization.unmarshal(text, type);
    }
}
