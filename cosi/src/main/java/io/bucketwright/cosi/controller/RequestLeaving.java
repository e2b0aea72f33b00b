package io.bucketwright.cosi.controller;

import io.bucketwright.api.cosi.Bucket;
import io.bucketwright.api.cosi.BucketRequest;
import io.bucketwright.api.cosi.BucketRequestPhase;
import io.bucketwright.api.cosi.ReleasePolicy;
import io.bucketwright.runtime.controller.Decision;
import io.bucketwright.runtime.controller.Result;
import java.util.List;

/** What is done next about a BucketRequest that its user deleted: access goes first, then perhaps the bucket, then it. */
final class RequestLeaving {

    Decision<Step> decide(RequestView view, BucketRequest request) {
        if (!Marks.hasFinalizer(request)) {
            return Decision.done();
        }
        if (!view.accesses().isEmpty()) {
            List<String> users = view.accesses().stream()
                    .map(access -> access.getSpec().bucketAccessRequestName())
                    .sorted()
                    .toList();
            return Patience.withLeaving(request, view.now())
                    .<Decision<Step>>map(Decision::finish)
                    .orElseGet(() -> Said.of(
                                    BucketRequestPhase.DELETING,
                                    "InUse",
                                    "Waiting for the end of BucketAccessRequest " + String.join(", ", users) + ".")
                            .thenRest(request, view.now(), Result.done()));
        }
        String provisioner =
                view.bucket().map(bucket -> bucket.getSpec().provisioner()).orElse("");
        if (view.bucket().filter(bucket -> goesWith(view, request, bucket)).isEmpty()) {
            return Decision.act(new Step.LetGo(request, Ends.left(request, provisioner)));
        }
        Bucket bucket = view.bucket().get();
        String trouble = BucketTrouble.of(bucket);
        Said said = trouble.isEmpty()
                ? Said.of(
                        BucketRequestPhase.DELETING,
                        "DeletingBucket",
                        "Bucket " + bucket.getMetadata().getName() + " is being deleted with its content.")
                : Said.of(BucketRequestPhase.DELETING, Said.FAILED_DELETE_BUCKET, trouble)
                        .inPassing();
        return said.thenRest(request, view.now(), Result.done());
    }

    /** Whether the Bucket's end is part of this request's end. */
    private static boolean goesWith(RequestView view, BucketRequest request, Bucket bucket) {
        return Permission.isEntitled(bucket, request, view.namespaceUid())
                && bucket.getSpec().madeFor().isPresent()
                && bucket.getSpec().onRelease() == ReleasePolicy.DELETE
                && !view.sharers();
    }
}
