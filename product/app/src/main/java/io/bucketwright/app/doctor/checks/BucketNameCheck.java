package io.bucketwright.app.doctor.checks;

import io.bucketwright.api.ObjectBucketClaim;
import io.bucketwright.api.ObjectBucketNames;
import io.bucketwright.app.doctor.observation.ClusterObservation;
import io.bucketwright.app.doctor.observation.ParsedClass;
import io.bucketwright.buckets.classes.BucketClass;
import io.bucketwright.runtime.objects.Metadata;

/** Whether tenants can choose names of buckets that others trust. */
record BucketNameCheck(ClusterObservation observed, Findings found) {
    void examine() {
        observed.classes().stream()
                .filter(parsed ->
                        parsed.parsed().filter(BucketNameCheck::allowsAnyName).isPresent())
                .filter(parsed -> namespaces(parsed) > 1)
                .forEach(parsed -> found.warning(
                        "AnyBucketName",
                        FoundObject.of(parsed.storageClass()),
                        "Claims of several namespaces use this class, and each can create a bucket of any free name,"
                                + " also of one that other teams or tools trust.",
                        "Create the class again with namePrefix or allowedBucketNames. Existing claims keep their"
                                + " bucket. See docs/buckets.md."));
    }

    private static boolean allowsAnyName(BucketClass bucketClass) {
        return bucketClass.existingBucket().isEmpty() && !bucketClass.limitsNewNames();
    }

    /** A claim that names no class uses the default. */
    private long namespaces(ParsedClass parsed) {
        String name = parsed.storageClass().getMetadata().getName();
        boolean isDefault = Metadata.annotation(parsed.storageClass(), ObjectBucketNames.DEFAULT_CLASS_ANNOTATION)
                .equals("true");
        return observed.all(ObjectBucketClaim.class).stream()
                .filter(claim ->
                        claim.getSpec().storageClass().map(name::equals).orElse(isDefault))
                .map(claim -> claim.getMetadata().getNamespace())
                .distinct()
                .count();
    }
}
