package io.bucketwright.cosi.controller;

import io.bucketwright.api.cosi.Bucket;
import io.bucketwright.api.cosi.BucketAccess;
import io.bucketwright.api.cosi.BucketRequest;
import io.bucketwright.api.cosi.BucketRequestRef;

/** Entries of {@code Bucket.spec.bindings}: {@code <BucketAccess>:<namespace>/<BucketRequest>}. No name contains a colon. */
final class BucketBinding {

    private BucketBinding() {}

    public static String of(BucketAccess access) {
        BucketRequestRef request = access.getSpec().bucketRequest();
        return access.getMetadata().getName() + ":" + request.namespace() + "/" + request.name();
    }

    public static boolean isBound(Bucket bucket, BucketAccess access) {
        return bucket.getSpec().bindings().contains(of(access));
    }

    /** Whether any access through this request is bound. */
    public static boolean isBound(Bucket bucket, BucketRequest request) {
        String suffix = ":" + request.getMetadata().getNamespace() + "/"
                + request.getMetadata().getName();
        return bucket.getSpec().bindings().stream().anyMatch(binding -> binding.endsWith(suffix));
    }
}
