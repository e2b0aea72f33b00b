package io.bucketwright.cosi.controller;

import io.bucketwright.api.cosi.Bucket;
import io.bucketwright.api.cosi.BucketAccess;
import io.bucketwright.api.cosi.BucketAccessRequest;
import io.bucketwright.api.cosi.BucketRequest;
import io.bucketwright.api.cosi.CosiNames;
import io.bucketwright.api.cosi.Provisioner;
import io.bucketwright.runtime.objects.Metadata;
import io.bucketwright.runtime.objects.MetadataPatch;
import io.fabric8.kubernetes.api.model.HasMetadata;
import java.time.DateTimeException;
import java.time.OffsetDateTime;
import java.util.HashMap;
import java.util.Map;

/** Finalizer, labels and annotations of the COSI controller. */
final class CosiMetadata {

    /**
     * Annotation of a BucketRequest: {@link #origin} if the controller creates the Bucket, so that the user did not name an
     * existing one. It contains the uid, so that a request which a backup restored waits for its Bucket. A tenant who edits
     * it gains nothing: the Bucket itself contains for whom it was created.
     */
    public static final String ORIGIN = "cosi.io/bucket-origin";

    private CosiMetadata() {}

    /** The value of {@link #ORIGIN} of a request whose Bucket the controller creates. */
    public static String origin(BucketRequest request) {
        return "new/" + request.getMetadata().getUid();
    }

    /** Whether the controller chose the name of the Bucket for this request. */
    public static boolean isNew(BucketRequest request) {
        return Metadata.annotation(request, ORIGIN).equals(origin(request));
    }

    public static boolean hasFinalizer(HasMetadata object) {
        return Metadata.hasFinalizer(object, CosiNames.FINALIZER);
    }

    public static Map<String, String> labels(Provisioner provisioner) {
        return Map.of(CosiNames.PROVISIONER_LABEL, provisioner.label());
    }

    /** Adds the controller's finalizer and the provisioner's label, as far as the object lacks them. */
    public static MetadataPatch manage(HasMetadata object, Provisioner provisioner) {
        return Metadata.patch(object).withFinalizer(CosiNames.FINALIZER).withLabels(labels(provisioner));
    }

    /**
     * Adds finalizer and label to a Bucket, as far as it lacks them. One that is being deleted cannot get a finalizer, but
     * its sidecar finds it by the label only.
     */
    public static MetadataPatch manage(Bucket bucket) {
        return bucket.getSpec()
                .servedBy()
                .map(provisioner -> Metadata.isBeingDeleted(bucket)
                        ? Metadata.patch(bucket).withLabels(labels(provisioner))
                        : manage(bucket, provisioner))
                .orElseGet(() -> Metadata.patch(bucket));
    }

    /** Adds both finalizers and the label to a BucketAccess, as far as it lacks them: a backup restores it without. */
    public static MetadataPatch manage(BucketAccess access) {
        return access.getSpec()
                .servedBy()
                .map(provisioner -> Metadata.isBeingDeleted(access)
                        ? Metadata.patch(access).withLabels(labels(provisioner))
                        : manage(access, provisioner).withFinalizer(CosiNames.PROVISIONER_FINALIZER))
                .orElseGet(() -> Metadata.patch(access));
    }

    /** The patch together with one field of the spec. */
    public static Map<String, ?> withSpec(MetadataPatch patch, String field, String value) {
        Map<String, Object> fields = new HashMap<>(patch.fields());
        fields.put("spec", Map.of(field, value));
        return fields;
    }

    /** When new credentials are requested, in one spelling; empty if there is none, or the text is not a time. */
    static String rotationTime(BucketAccessRequest request) {
        String text = Metadata.annotation(request, CosiNames.ROTATE_AT);
        try {
            return text.isEmpty() ? "" : OffsetDateTime.parse(text).toInstant().toString();
        } catch (DateTimeException e) {
            return "";
        }
    }

    static boolean isRotationMalformed(BucketAccessRequest request) {
        return !Metadata.annotation(request, CosiNames.ROTATE_AT).isEmpty()
                && rotationTime(request).isEmpty();
    }
}
