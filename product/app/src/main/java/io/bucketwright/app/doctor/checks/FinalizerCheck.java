package io.bucketwright.app.doctor.checks;

import io.bucketwright.api.BucketStatus;
import io.bucketwright.api.ObjectBucket;
import io.bucketwright.api.ObjectBucketClaim;
import io.bucketwright.api.ObjectBucketNames;
import io.bucketwright.api.cosi.Bucket;
import io.bucketwright.api.cosi.BucketAccess;
import io.bucketwright.api.cosi.BucketAccessRequest;
import io.bucketwright.api.cosi.BucketRequest;
import io.bucketwright.api.cosi.CosiNames;
import io.bucketwright.api.cosi.CosiResource;
import io.bucketwright.api.objectstorage.BucketClaim;
import io.bucketwright.api.objectstorage.ReleasedBucket;
import io.bucketwright.api.objectstorage.ReleasedBucketAccess;
import io.bucketwright.api.objectstorage.ReleasedBucketAccessClass;
import io.bucketwright.api.objectstorage.ReleasedNames;
import io.bucketwright.app.doctor.observation.ClusterObservation;
import io.bucketwright.app.doctor.observation.LeaseRole;
import io.bucketwright.app.doctor.observation.Listing;
import io.bucketwright.runtime.objects.DurationText;
import io.bucketwright.runtime.objects.Metadata;
import io.bucketwright.runtime.status.ReadyCondition;
import io.bucketwright.volumes.directories.DirectoryAnnotations;
import io.fabric8.kubernetes.api.model.Condition;
import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.api.model.PersistentVolume;
import io.fabric8.kubernetes.api.model.storage.StorageClass;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** Objects that are being deleted for too long, and which controller has to remove their finalizers. */
record FinalizerCheck(ClusterObservation observed, Findings found) {
    private static final String PROTECTION = "kubernetes.io/pv-protection";
    private static final String KEEP =
            ". Do not remove the finalizer: the bucket or directory, and its credentials, would stay.";

    void examine() {
        Stream.of(
                        observed.all(ObjectBucketClaim.class),
                        observed.all(ObjectBucket.class),
                        observed.all(BucketRequest.class),
                        observed.all(BucketAccessRequest.class),
                        observed.all(Bucket.class),
                        observed.all(BucketAccess.class),
                        observed.all(BucketClaim.class),
                        observed.all(ReleasedBucketAccess.class),
                        observed.all(ReleasedBucket.class))
                .flatMap(Listing::stream)
                .forEach(this::examine);
        observed.all(PersistentVolume.class).stream()
                .filter(volume ->
                        !Metadata.annotation(volume, DirectoryAnnotations.ROOT).isEmpty())
                .forEach(this::examine);
    }

    private void examine(HasMetadata object) {
        Duration age =
                observed.since(object.getMetadata().getDeletionTimestamp()).orElse(Duration.ZERO);
        if (!Metadata.isBeingDeleted(object) || age.compareTo(observed.scope().stuckAfter()) < 0) {
            return;
        }
        List<String> finalizers = Metadata.finalizers(object);
        String waits = finalizers.stream()
                .map(finalizer -> finalizer + " (removed by " + remover(finalizer, object) + ")")
                .collect(Collectors.joining(", "));
        found.error(
                "DeletionStuck",
                FoundObject.of(object),
                "Is being deleted for " + inShort(age) + ", and waits for " + waits + "."
                        + condition(object).map(FinalizerCheck::text).orElse("")
                        + ReleasedClaimCheck.newestEvent(object, observed)
                                .map(text -> " Its newest event is " + text)
                                .orElse(""),
                finalizers.isEmpty() ? "" : action(finalizers.getFirst(), object));
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
                // Rook and NooBaa use the same finalizer, and do not write their name on claims.
                yield recorded.isEmpty()
                        ? claim.getSpec()
                                .storageClass()
                                .flatMap(observed::storageClass)
                                .map(StorageClass::getProvisioner)
                                .orElse("")
                        : recorded;
            }
            default -> "";
        };
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
                observed.all(ReleasedBucket.class).stream()
                        .filter(bucket ->
                                FoundObject.isNamed(bucket, "", claim.status().bucketName()))
                        .map(bucket -> bucket.spec().driverName())
                        .findFirst()
                        .orElse("");
            case ReleasedBucketAccess access ->
                observed.all(ReleasedBucketAccessClass.class).stream()
                        .filter(any ->
                                FoundObject.isNamed(any, "", access.spec().bucketAccessClassName()))
                        .map(ReleasedBucketAccessClass::getDriverName)
                        .findFirst()
                        .orElse(Metadata.annotation(access, ReleasedNames.DRIVER));
            default -> "";
        };
        if (name.isEmpty()) {
            return "its driver";
        }
        String lease = ReleasedNames.leaseOf(name);
        boolean unserved = observed.leases().lacks(any -> any.name().equals(lease) && observed.isLed(any));
        return "driver " + name + (unserved ? ", which has no leader" : "");
    }

    private String action(String finalizer, HasMetadata object) {
        String describe = FoundObject.of(object).describe();
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

    /** In whole seconds, without the smaller units of long times. */
    private static String inShort(Duration duration) {
        Duration whole = Duration.ofSeconds(Math.max(0, duration.toSeconds()));
        return DurationText.of(whole.toHours() > 0 ? Duration.ofMinutes(whole.toMinutes()) : whole);
    }

    private static String text(Condition condition) {
        return " Its controller reports " + condition.getReason() + ": " + condition.getMessage();
    }
}
