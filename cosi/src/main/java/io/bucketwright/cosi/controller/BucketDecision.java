package io.bucketwright.cosi.controller;

import io.bucketwright.api.cosi.Bucket;
import io.bucketwright.api.cosi.BucketAccess;
import io.bucketwright.api.cosi.BucketPhase;
import io.bucketwright.api.cosi.CosiNames;
import io.bucketwright.api.cosi.Provisioner;
import io.bucketwright.api.cosi.ReleasePolicy;
import io.bucketwright.cosi.controller.Operations.Operation;
import io.bucketwright.runtime.client.JsonPatch;
import io.bucketwright.runtime.controller.Decision;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** What is done next about a Bucket: its bindings are kept true, and it goes when it may. All writes to it come from here. */
final class BucketDecision {

    Decision<Step> decide(BucketView view) {
        if (view.bucket().isEmpty()) {
            return Decision.done();
        }
        Bucket bucket = view.bucket().get();
        Optional<Provisioner> provisioner = bucket.getSpec().servedBy();
        boolean leaving = Marks.leaving(bucket);
        if (!leaving && provisioner.isPresent() && !Marks.isMarked(bucket, NewObjects.labels(provisioner.get()))) {
            return Decision.act(new Step.Merge(
                    bucket, Map.of("metadata", Marks.metadata(bucket, NewObjects.labels(provisioner.get())))));
        }
        List<String> bindings = view.accesses().stream()
                .filter(seen -> isBinding(bucket, seen))
                .map(seen -> Binding.of(seen.access()).text())
                .sorted()
                .toList();
        if (!bindings.equals(bucket.getSpec().bindings().stream().sorted().toList())) {
            return Decision.act(new Step.Patch(bucket, JsonPatch.empty().add("/spec/bindings", bindings)));
        }
        if (leaving) {
            return goes(view, bucket);
        }
        return mayGo(view, bucket) ? Decision.act(new Step.Delete(bucket)) : Decision.done();
    }

    /** A binding begins with the grant and ends with the revocation, whoever asked for either. */
    private static boolean isBinding(Bucket bucket, BucketView.Seen seen) {
        BucketAccess access = seen.access();
        if (Marks.leaving(access) && !Marks.hasFinalizer(access, CosiNames.PROVISIONER_FINALIZER)) {
            return false;
        }
        boolean already =
                bucket.getSpec().bindings().contains(Binding.of(access).text());
        return already || (seen.granted() && !Marks.leaving(access));
    }

    /**
     * The object stays as long as anything in the store is left of it, or of somebody's account on it. For a bucket that
     * was there before there is nothing to do in the store, so nobody waits for a sidecar that may not even exist.
     */
    private static Decision<Step> goes(BucketView view, Bucket bucket) {
        boolean undone = bucket.phase() == BucketPhase.DELETED
                || bucket.getSpec().madeFor().isEmpty();
        boolean over = undone && view.accesses().isEmpty();
        return over && Marks.hasFinalizer(bucket)
                ? Decision.act(new Step.LetGo(bucket, Operation.NONE))
                : Decision.done();
    }

    /**
     * Whether the Bucket and its content are to be destroyed: it was made for a request, its policy says so, its last
     * request was deleted, and nobody is left. A request that vanished in any other way destroys nothing.
     */
    private static boolean mayGo(BucketView view, Bucket bucket) {
        return bucket.getSpec().madeFor().isPresent()
                && bucket.getSpec().onRelease() == ReleasePolicy.DELETE
                && bucket.getSpec().bindings().isEmpty()
                && view.accesses().isEmpty()
                && view.released()
                && !view.wanted();
    }
}
