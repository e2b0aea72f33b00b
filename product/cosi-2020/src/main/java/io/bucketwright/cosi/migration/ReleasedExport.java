package io.bucketwright.cosi.migration;

import io.bucketwright.api.cosi.AnonymousAccessMode;
import io.bucketwright.api.cosi.Bucket;
import io.bucketwright.api.cosi.BucketAccessClass;
import io.bucketwright.api.cosi.BucketAccessRequest;
import io.bucketwright.api.cosi.BucketClass;
import io.bucketwright.api.cosi.BucketRequest;
import io.bucketwright.api.cosi.CosiNames;
import io.bucketwright.api.cosi.PolicyActions;
import io.bucketwright.api.cosi.Protocol;
import io.bucketwright.api.cosi.Provisioner;
import io.bucketwright.api.cosi.ReleasePolicy;
import io.bucketwright.api.objectstorage.BucketClaim;
import io.bucketwright.api.objectstorage.BucketClaimSpec;
import io.bucketwright.api.objectstorage.ReleasedAccessSpec;
import io.bucketwright.api.objectstorage.ReleasedBucket;
import io.bucketwright.api.objectstorage.ReleasedBucketAccess;
import io.bucketwright.api.objectstorage.ReleasedBucketAccessClass;
import io.bucketwright.api.objectstorage.ReleasedBucketClass;
import io.bucketwright.api.objectstorage.ReleasedBucketSpec;
import io.bucketwright.runtime.objects.Metadata;
import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.api.model.ObjectMeta;
import io.fabric8.kubernetes.api.model.ObjectMetaBuilder;
import io.fabric8.kubernetes.api.model.ObjectReferenceBuilder;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;

/**
 * Manifests of released kinds for the objects of {@code cosi.io}: classes, existing buckets with their claims, and accesses
 * with new Secrets. They never permit more than the originals: what has no equivalent is left out with a comment.
 */
public final class ReleasedExport {

    /** Parameters of the sidecar, not of the driver. */
    private static final String RESERVED = "cosi.io/";

    private static final int LONGEST_NAME = 253;
    private static final String SECRET_SUFFIX = "-bucketinfo";

    private final CosiObjects objects;
    private final ManifestStream manifests = new ManifestStream();
    private final Map<String, Bucket> buckets = new HashMap<>();
    private final Map<String, BucketRequest> requests = new TreeMap<>();
    private final Map<String, BucketRequest> exported = new HashMap<>();

    private ReleasedExport(CosiObjects objects) {
        this.objects = objects;
        objects.buckets().forEach(bucket -> buckets.put(bucket.getMetadata().getName(), bucket));
        objects.requests().forEach(request -> requests.put(CosiObjects.key(request), request));
    }

    /** The manifests as one YAML stream for {@code kubectl apply -f -}. */
    public static String yaml(CosiObjects objects) {
        return new ReleasedExport(objects).text();
    }

    private String text() {
        manifests.comment("Objects of cosi.io as objects of objectstorage.k8s.io. The originals stay as they are.");
        manifests.comment("See docs/coming-from-upstream-cosi.md for the order of the steps.");
        objects.bucketClasses().forEach(this::bucketClass);
        objects.accessClasses().forEach(this::accessClass);
        requests.values().forEach(this::claim);
        objects.accessRequests().forEach(this::access);
        return manifests.text();
    }

    private void bucketClass(BucketClass from) {
        List<String> remarks = dropped(from.getParameters());
        if (from.isDefaultBucketClass()) {
            remarks.add("There are no default classes: name this one in each BucketClaim.");
        }
        if (AnonymousAccessMode.of(from.getAnonymousAccessMode()).orElse(AnonymousAccessMode.PRIVATE)
                != AnonymousAccessMode.PRIVATE) {
            remarks.add("anonymousAccessMode " + from.getAnonymousAccessMode() + " has no counterpart. Bucketwright's"
                    + " driver has the parameter anonymousAccess.");
        }
        if (!from.getAdditionalPermittedNamespaces().isEmpty()) {
            remarks.add("additionalPermittedNamespaces has no counterpart: a Bucket belongs to one claim.");
        }
        ReleasedBucketClass to = new ReleasedBucketClass();
        to.setMetadata(named(from));
        to.setDriverName(driver(from.servedBy()));
        to.setDeletionPolicy(policy(from.getReleasePolicy()));
        to.setParameters(ofDriver(from.getParameters()));
        manifests.add(to, remarks);
    }

    private void accessClass(BucketAccessClass from) {
        if (isLimited(from)) {
            manifests.omit(
                    from,
                    "policyActions has no counterpart, and without it the access would be wider. Bucketwright's driver"
                            + " has the parameter accessMode: ro, wo or rw.");
            return;
        }
        ReleasedBucketAccessClass to = new ReleasedBucketAccessClass();
        to.setMetadata(named(from));
        to.setDriverName(driver(from.servedBy()));
        to.setAuthenticationType("Key");
        to.setParameters(ofDriver(from.getParameters()));
        manifests.add(to, dropped(from.getParameters()));
    }

    private void claim(BucketRequest from) {
        Optional<Bucket> found = Optional.ofNullable(buckets.get(from.getSpec().bucketInstanceName()));
        if (found.isEmpty() || !found.get().getSpec().protocol().hasAddress()) {
            manifests.omit(from, "its bucket does not exist yet. Create a BucketClaim instead.");
            return;
        }
        Bucket bucket = found.get();
        BucketRequest other = exported.putIfAbsent(bucket.getSpec().protocol().bucketName(), from);
        if (other != null) {
            manifests.omit(
                    from,
                    "its bucket is that of BucketRequest " + CosiObjects.key(other)
                            + ", and a Bucket belongs to one claim. Create a BucketAccess in the namespace "
                            + other.getMetadata().getNamespace() + ".");
            return;
        }
        List<String> protocols = bucket.getSpec().protocol().protocol().map(ReleasedExport::text).stream()
                .toList();
        manifests.add(bucket(from, bucket, protocols), bucketRemarks(bucket));
        BucketClaim to = new BucketClaim();
        to.setMetadata(named(from));
        to.setSpec(
                new BucketClaimSpec("", protocols, bucket.getSpec().protocol().bucketName()));
        manifests.add(to, List.of());
    }

    /** Its name is that of the bucket in the store, because BucketInfo contains the name of the Bucket. */
    private ReleasedBucket bucket(BucketRequest request, Bucket from, List<String> protocols) {
        String name = from.getSpec().protocol().bucketName();
        String id = Metadata.annotation(from, CosiNames.BUCKET_ID);
        ReleasedBucket to = new ReleasedBucket();
        to.setMetadata(new ObjectMetaBuilder().withName(name).build());
        to.setSpec(new ReleasedBucketSpec(
                driver(from.getSpec().servedBy()),
                className(from),
                // Without uid: it reserves the Bucket for the claim of this name.
                new ObjectReferenceBuilder()
                        .withNamespace(request.getMetadata().getNamespace())
                        .withName(request.getMetadata().getName())
                        .build(),
                protocols,
                ofDriver(from.getSpec().parameters()),
                ReleasePolicy.RETAIN.text(),
                id.isEmpty() ? name : id));
        return to;
    }

    /** The sidecar of the reference requires a class, and reads it for a Bucket without parameters. */
    private String className(Bucket bucket) {
        return Optional.of(bucket.getSpec().bucketClassName())
                .filter(name -> !name.isEmpty())
                .or(() -> objects.bucketClasses().stream()
                        .filter(found ->
                                found.servedBy().equals(bucket.getSpec().servedBy()))
                        .map(found -> found.getMetadata().getName())
                        .findFirst())
                .orElse("existing");
    }

    private static List<String> bucketRemarks(Bucket from) {
        List<String> remarks = dropped(from.getSpec().parameters());
        if (from.getSpec().onRelease() == ReleasePolicy.DELETE) {
            remarks.add("Retain, not Delete: the driver deletes a bucket only through the API group that created it.");
        }
        return remarks;
    }

    private void access(BucketAccessRequest from) {
        Optional<BucketRequest> request = requestOf(from);
        Optional<BucketAccessClass> accessClass = objects.accessClasses().stream()
                .filter(found ->
                        found.getMetadata().getName().equals(from.getSpec().bucketAccessClassName()))
                .findFirst();
        if (!from.getSpec().serviceAccountName().isEmpty()) {
            manifests.omit(from, "it is for a ServiceAccount. Create a BucketAccessClass with authenticationType IAM.");
        } else if (request.isEmpty() || !exported.containsValue(request.get())) {
            manifests.omit(from, "its BucketRequest is not exported.");
        } else if (accessClass.isEmpty() || isLimited(accessClass.get())) {
            manifests.omit(from, "its BucketAccessClass is not exported.");
        } else {
            ReleasedBucketAccess to = new ReleasedBucketAccess();
            to.setMetadata(named(from));
            to.setSpec(new ReleasedAccessSpec(
                    request.get().getMetadata().getName(),
                    accessClass
                            .get()
                            .offeredProtocol()
                            .map(ReleasedExport::text)
                            .orElse(""),
                    from.getSpec().bucketAccessClassName(),
                    secretName(from),
                    ""));
            manifests.add(to, List.of());
        }
    }

    private Optional<BucketRequest> requestOf(BucketAccessRequest access) {
        String namespace = access.getMetadata().getNamespace();
        return requests.values().stream()
                .filter(request -> request.getMetadata().getNamespace().equals(namespace))
                .filter(request -> access.getSpec().bucketRequestName().isEmpty()
                        ? request.getSpec()
                                .bucketInstanceName()
                                .equals(access.getSpec().bucketInstance())
                        : request.getMetadata()
                                .getName()
                                .equals(access.getSpec().bucketRequestName()))
                .findFirst();
    }

    /** Another than the original's, which exists and has other keys. */
    private static String secretName(BucketAccessRequest access) {
        String name = access.getMetadata().getName();
        return name.substring(0, Math.min(name.length(), LONGEST_NAME - SECRET_SUFFIX.length())) + SECRET_SUFFIX;
    }

    private static boolean isLimited(BucketAccessClass accessClass) {
        return !accessClass.getPolicyActions().equals(PolicyActions.NONE);
    }

    private static ObjectMeta named(HasMetadata from) {
        return new ObjectMetaBuilder()
                .withNamespace(from.getMetadata().getNamespace())
                .withName(from.getMetadata().getName())
                .build();
    }

    private static String driver(Optional<Provisioner> provisioner) {
        return provisioner.map(Provisioner::name).orElse("");
    }

    private static String policy(String releasePolicy) {
        return ReleasePolicy.of(releasePolicy).text();
    }

    private static Map<String, String> ofDriver(Map<String, String> parameters) {
        Map<String, String> kept = new TreeMap<>(parameters);
        kept.keySet().removeIf(key -> key.startsWith(RESERVED));
        return kept;
    }

    private static List<String> dropped(Map<String, String> parameters) {
        List<String> remarks = new ArrayList<>();
        new TreeMap<>(parameters)
                .keySet().stream()
                        .filter(key -> key.startsWith(RESERVED))
                        .forEach(key -> remarks.add("The parameter " + key + " has no equivalent"
                                + (key.startsWith("cosi.io/provisioner-secret")
                                        ? ": give the driver its credentials with --credentials."
                                        : ".")));
        return remarks;
    }

    private static String text(Protocol protocol) {
        return switch (protocol) {
            case S3 -> "S3";
            case GCS -> "GCP";
            case AZURE_BLOB -> "Azure";
        };
    }
}
