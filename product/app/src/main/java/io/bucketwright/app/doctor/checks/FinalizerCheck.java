package io.bucketwright.app.doctor.checks;

import io.bucketwright.api.BucketStatus;
import io.bucketwright.api.ObjectBucket;
import io.bucketwright.api.ObjectBucketClaim;
import io.bucketwright.api.ObjectBucketNames;
import io.bucketwright.api.cosi.Bucket;
import io.bucketwright.api.cosi.BucketAccess;
import io.bucketwright.api.cosi.CosiNames;
import io.bucketwright.api.cosi.CosiResource;
import io.bucketwright.api.objectstorage.BucketClaim;
import io.bucketwright.api.objectstorage.ReleasedBucket;
import io.bucketwright.api.objectstorage.ReleasedBucketAccess;
import io.bucketwright.api.objectstorage.ReleasedBucketAccessClass;
import io.bucketwright.api.objectstorage.ReleasedNames;
import io.bucketwright.app.doctor.finding.CheckName;
import io.bucketwright.app.doctor.finding.Finding;
import io.bucketwright.app.doctor.finding.FoundObject;
import io.bucketwright.app.doctor.observation.ClusterObservation;
import io.bucketwright.app.doctor.observation.LeaseRole;
import io.bucketwright.runtime.objects.Metadata;
import io.bucketwright.runtime.status.ReadyCondition;
import io.bucketwright.volumes.directories.objects.DirectoryAnnotations;
import io.fabric8.kubernetes.api.model.Condition;
import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.api.model.storage.StorageClass;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** Objects that are being deleted for too long, and which controller has to remove their finalizers. */
record FinalizerCheck(ClusterObservation observed) {

    private static final String PROTECTION = "kubernetes.io/pv-protection";

    private static final String KEEP =
            ". Do not remove the finalizer: the bucket or directory, and its credentials, would stay.";

    static Stream<Finding> examine(ClusterObservation observed) {
        FinalizerCheck check = new FinalizerCheck(observed);
        return Stream.of(
                        observed.claims().stream(),
                        observed.objectBuckets().stream(),
                        observed.cosi().requests().stream(),
                        observed.cosi().accessRequests().stream(),
                        observed.cosi().buckets().stream(),
                        observed.cosi().accesses().stream(),
                        observed.released().claims().stream(),
                        observed.released().accesses().stream(),
                        observed.released().buckets().stream(),
                        observed.volumes().stream()
                                .filter(volume -> !Metadata.annotation(volume, DirectoryAnnotations.ROOT)
                                        .isEmpty()))
                .flatMap(objects -> objects)
                .flatMap(object -> check.examine(object).stream());
    }

    private Optional<Finding> examine(HasMetadata object) {
        Duration age = ObjectTimes.since(object.getMetadata().getDeletionTimestamp(), observed.now())
                .orElse(Duration.ZERO);
        if (!Metadata.isBeingDeleted(object) || age.compareTo(observed.scope().stuckAfter()) < 0) {
            return Optional.empty();
        }
        List<String> finalizers = Metadata.finalizers(object);
        String waits = finalizers.stream()
                .map(finalizer -> finalizer + " (removed by " + remover(finalizer, object) + ")")
                .collect(Collectors.joining(", "));
        return Optional.of(Finding.error(
                CheckName.FINALIZERS,
                "DeletionStuck",
                FoundObject.of(object),
                "Is being deleted for " + ObjectTimes.text(age) + ", and waits for " + waits + "."
                        + condition(object).map(FinalizerCheck::text).orElse("")
                        + event(object)
                                .map(text -> " Its newest event is " + text)
                                .orElse(""),
                finalizers.stream()
                        .map(finalizer -> action(finalizer, object))
                        .findFirst()
                        .orElse("")));
    }

    private String remover(String finalizer, HasMetadata object) {
        return switch (finalizer) {
            case ObjectBucketNames.FINALIZER -> {
                String name = provisioner(object);
                if (isForeign(name)) {
                    yield "the provisioner " + name + ", which is not Bucketwright";
                }
                yield isUnknown(name)
                        ? "the provisioner " + name
                        : withLeader(LeaseRole.BUCKETS) + (name.isEmpty() ? "" : " of provisioner " + name);
            }
            case CosiNames.FINALIZER -> withLeader(LeaseRole.COSI);
            case CosiNames.PROVISIONER_FINALIZER -> "the sidecar of " + cosiProvisioner(object);
            case ReleasedNames.CLAIM_FINALIZER ->
                withLeader(LeaseRole.BUCKET_CLAIMS) + " or the sidecar of " + driver(object);
            case ReleasedNames.BUCKET_FINALIZER,
                    ReleasedNames.ACCESSED_BUCKET_FINALIZER,
                    ReleasedNames.ACCESS_FINALIZER -> "the sidecar of " + driver(object);
            case DirectoryAnnotations.FINALIZER -> withLeader(LeaseRole.DIRECTORIES);
            case PROTECTION -> "Kubernetes, when no claim uses the volume";
            default -> "another controller";
        };
    }

    private String withLeader(LeaseRole role) {
        return "the role " + role
                + (observed.leases().isComplete() && !observed.isLed(role) ? ", which has no leader" : "");
    }

    /** The provisioner that an object of ObjectBucketClaims names. */
    private String provisioner(HasMetadata object) {
        return switch (object) {
            case ObjectBucket bucket ->
                bucket.getSpec()
                        .recordedIntent()
                        .map(intent -> intent.provisioner())
                        .orElse("");
            case ObjectBucketClaim claim -> {
                String recorded = Metadata.annotation(claim, ObjectBucketNames.PROVISIONER_ANNOTATION);
                yield recorded.isEmpty() ? provisionerOfClass(claim) : recorded;
            }
            default -> "";
        };
    }

    /** Rook and NooBaa use the same finalizer, and do not write their name on claims. */
    private String provisionerOfClass(ObjectBucketClaim claim) {
        return claim.getSpec()
                .storageClass()
                .flatMap(name -> observed.storageClasses().stream()
                        .filter(found -> found.getMetadata().getName().equals(name))
                        .map(StorageClass::getProvisioner)
                        .findFirst())
                .orElse("");
    }

    private boolean isForeign(String provisioner) {
        return !provisioner.isEmpty() && !observed.provisioners().mayServe(provisioner);
    }

    /** Not every installed provisioner is known: perhaps it is one of Bucketwright. */
    private boolean isUnknown(String provisioner) {
        return !provisioner.isEmpty() && !observed.provisioners().serves(provisioner);
    }

    private static String cosiProvisioner(HasMetadata object) {
        return switch (object) {
            case Bucket bucket -> bucket.getSpec().provisioner();
            case BucketAccess access -> access.getSpec().provisioner();
            default -> "its provisioner";
        };
    }

    /** The driver of a released object, with whether its sidecar runs. */
    private String driver(HasMetadata object) {
        String name = switch (object) {
            case ReleasedBucket bucket -> bucket.spec().driverName();
            case BucketClaim claim ->
                observed.released().buckets().stream()
                        .filter(bucket -> bucket.getMetadata()
                                .getName()
                                .equals(claim.status().bucketName()))
                        .map(bucket -> bucket.spec().driverName())
                        .findFirst()
                        .orElse("");
            case ReleasedBucketAccess access ->
                observed.released().accessClasses().stream()
                        .filter(found -> found.getMetadata()
                                .getName()
                                .equals(access.spec().bucketAccessClassName()))
                        .map(ReleasedBucketAccessClass::getDriverName)
                        .findFirst()
                        .orElse(Metadata.annotation(access, ReleasedNames.DRIVER));
            default -> "";
        };
        if (name.isEmpty()) {
            return "its driver";
        }
        String lease = ReleasedNames.leaseOf(name);
        boolean unserved = observed.leases().lacks(found -> found.name().equals(lease) && observed.isLed(found));
        return "driver " + name + (unserved ? ", which has no leader" : "");
    }

    private Optional<String> event(HasMetadata object) {
        return new ObjectEvents(observed).newest(object);
    }

    private String action(String finalizer, HasMetadata object) {
        String describe = "kubectl describe " + FoundObject.of(object).kubectl();
        if (finalizer.equals(ObjectBucketNames.FINALIZER) && isForeign(provisioner(object))) {
            return "Ask the administrator of " + provisioner(object) + ". " + describe;
        }
        if (finalizer.equals(ObjectBucketNames.FINALIZER) && isUnknown(provisioner(object))) {
            return "Is a controller for " + provisioner(object) + " running? Read its events: " + describe + KEEP;
        }
        return switch (finalizer) {
            case ObjectBucketNames.FINALIZER,
                    CosiNames.FINALIZER,
                    CosiNames.PROVISIONER_FINALIZER,
                    ReleasedNames.CLAIM_FINALIZER,
                    ReleasedNames.BUCKET_FINALIZER,
                    ReleasedNames.ACCESSED_BUCKET_FINALIZER,
                    ReleasedNames.ACCESS_FINALIZER,
                    DirectoryAnnotations.FINALIZER ->
                "Read its events, and start the controller if it does not run: " + describe + KEEP;
            default -> describe;
        };
    }

    private static Optional<Condition> condition(HasMetadata object) {
        return switch (object) {
            case ObjectBucketClaim claim -> ready(claim.getStatus());
            case ObjectBucket bucket -> ready(bucket.getStatus());
            case CosiResource<?> resource ->
                ReadyCondition.find(resource.status().conditions());
            default -> Optional.empty();
        };
    }

    private static Optional<Condition> ready(@Nullable BucketStatus status) {
        return status == null ? Optional.empty() : ReadyCondition.find(status.conditions());
    }

    private static String text(Condition condition) {
        return " Its controller reports " + condition.getReason() + ": " + condition.getMessage();
    }
}
