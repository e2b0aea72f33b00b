package io.bucketwright.cosi.controller;

import io.bucketwright.api.cosi.BucketAccess;
import io.bucketwright.api.cosi.BucketRequestRef;

/** One entry of {@code Bucket.spec.bindings}: {@code <BucketAccess>:<namespace>/<BucketRequest>}. No name has a colon. */
record Binding(String access, String namespace, String request) {

    static Binding of(BucketAccess access) {
        BucketRequestRef request = access.getSpec().bucketRequest();
        return new Binding(access.getMetadata().getName(), request.namespace(), request.name());
    }

    String text() {
        return access + ":" + namespace + "/" + request;
    }
}
