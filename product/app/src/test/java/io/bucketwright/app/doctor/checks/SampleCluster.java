package io.bucketwright.app.doctor.checks;

import io.bucketwright.api.Crds;
import io.bucketwright.api.ObjectBucket;
import io.bucketwright.api.ObjectBucketClaim;
import io.bucketwright.api.cosi.Bucket;
import io.bucketwright.api.cosi.BucketAccess;
import io.bucketwright.api.cosi.BucketAccessRequest;
import io.bucketwright.api.cosi.BucketClass;
import io.bucketwright.api.cosi.BucketRequest;
import io.bucketwright.api.objectstorage.BucketClaim;
import io.bucketwright.api.objectstorage.ReleasedBucket;
import io.bucketwright.api.objectstorage.ReleasedBucketAccess;
import io.bucketwright.api.objectstorage.ReleasedBucketAccessClass;
import io.bucketwright.api.objectstorage.ReleasedBucketClass;
import io.bucketwright.app.doctor.observation.AccountAccess;
import io.bucketwright.app.doctor.observation.CheckName;
import io.bucketwright.app.doctor.observation.ClusterObservation;
import io.bucketwright.app.doctor.observation.DoctorScope;
import io.bucketwright.app.doctor.observation.Listing;
import io.bucketwright.app.doctor.observation.ParsedClass;
import io.bucketwright.app.doctor.observation.RoleLease;
import io.bucketwright.app.doctor.observation.RoleWorkload;
import io.bucketwright.app.doctor.observation.ServedProvisioners;
import io.bucketwright.app.doctor.observation.StoreAnswer;
import io.bucketwright.app.options.PublishedSettings;
import io.fabric8.kubernetes.api.model.Event;
import io.fabric8.kubernetes.api.model.PersistentVolume;
import io.fabric8.kubernetes.api.model.PersistentVolumeClaim;
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
import java.util.stream.Stream;

/** A cluster without problems, at a fixed time, to which a test adds one. */
final class SampleCluster {

    static final Instant NOW = Instant.parse("2026-11-17T12:00:00Z");

    String version = "v1.36.3";
    String namespace = "";
    Set<CheckName> checks = EnumSet.allOf(CheckName.class);
    List<CustomResourceDefinition> definitions =
            new ArrayList<>(Stream.of(Crds.objectBuckets(), Crds.released(), Crds.cosi())
                    .flatMap(List::stream)
                    .map(SampleCluster::established)
                    .toList());
    List<RoleLease> leases = new ArrayList<>(
            List.of(lease("bucketwright-buckets"), lease("bucketwright-bucketclaims"), lease("bucketwright-cosi")));
    String leasesProblem = "";
    List<RoleWorkload> workloads = new ArrayList<>();
    List<PublishedSettings> settings = new ArrayList<>();
    Set<String> ignored = new HashSet<>();
    boolean allProvisionersKnown = true;
    List<AccountAccess> access = new ArrayList<>();
    List<StorageClass> storageClasses = new ArrayList<>();
    List<ParsedClass> classes = new ArrayList<>();
    List<StoreAnswer> stores = new ArrayList<>();
    List<ObjectBucketClaim> claims = new ArrayList<>();
    List<ObjectBucket> objectBuckets = new ArrayList<>();
    String objectBucketsProblem = "";
    List<BucketClass> bucketClasses = new ArrayList<>();
    List<BucketRequest> requests = new ArrayList<>();
    List<BucketAccessRequest> accessRequests = new ArrayList<>();
    List<Bucket> buckets = new ArrayList<>();
    List<BucketAccess> accesses = new ArrayList<>();
    List<ReleasedBucketClass> releasedClasses = new ArrayList<>();
    List<ReleasedBucketAccessClass> releasedAccessClasses = new ArrayList<>();
    List<BucketClaim> bucketClaims = new ArrayList<>();
    List<ReleasedBucketAccess> releasedAccesses = new ArrayList<>();
    List<ReleasedBucket> releasedBuckets = new ArrayList<>();
    String releasedBucketsProblem = "";
    List<Event> events = new ArrayList<>();
    Map<String, String> invalid = new HashMap<>();
    List<PersistentVolumeClaim> volumeClaims = new ArrayList<>();
    List<PersistentVolume> volumes = new ArrayList<>();

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
        DoctorScope scope =
                new DoctorScope(checks, namespace, "bucketwright", Set.of(), "", Map.of(), Duration.ofMinutes(5));
        return Diagnosis.of(new ClusterObservation(
                scope,
                NOW,
                version,
                Listing.of("CustomResourceDefinition", definitions),
                new Listing<>("Lease", leases, leasesProblem),
                Listing.of("Deployment", workloads),
                new ServedProvisioners(settings, ignored, allProvisionersKnown, scope),
                access,
                Listing.of("StorageClass", storageClasses),
                classes,
                stores,
                Listing.of("ObjectBucketClaim", claims),
                new Listing<>("ObjectBucket", objectBuckets, objectBucketsProblem),
                new ClusterObservation.Cosi(
                        Listing.of("BucketClass", bucketClasses),
                        Listing.of("BucketAccessClass", List.of()),
                        Listing.of("BucketRequest", requests),
                        Listing.of("BucketAccessRequest", accessRequests),
                        Listing.of("Bucket", buckets),
                        Listing.of("BucketAccess", accesses)),
                new ClusterObservation.Released(
                        Listing.of("BucketClass.objectstorage.k8s.io", releasedClasses),
                        Listing.of("BucketAccessClass.objectstorage.k8s.io", releasedAccessClasses),
                        Listing.of("BucketClaim.objectstorage.k8s.io", bucketClaims),
                        Listing.of("BucketAccess.objectstorage.k8s.io", releasedAccesses),
                        new Listing<>("Bucket.objectstorage.k8s.io", releasedBuckets, releasedBucketsProblem),
                        Listing.of("Event", events),
                        invalid),
                Listing.of("PersistentVolumeClaim", volumeClaims),
                Listing.of("PersistentVolume", volumes)));
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
        return definitions.stream()
                .filter(found -> found.getMetadata().getName().equals(name))
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
