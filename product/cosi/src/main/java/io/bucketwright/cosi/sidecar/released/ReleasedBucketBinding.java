package io.bucketwright.cosi.sidecar.released;

import io.bucketwright.api.cosi.status.ProvisionerReason;
import io.bucketwright.api.objectstorage.BucketClaim;
import io.bucketwright.api.objectstorage.BucketClaimStatus;
import io.bucketwright.api.objectstorage.ReleasedBucket;
import io.bucketwright.api.objectstorage.ReleasedBucketStatus;
import io.bucketwright.api.objectstorage.ReleasedNames;
import io.bucketwright.api.objectstorage.ReleasedReason;
import io.bucketwright.cosi.core.BucketBinding;
import io.bucketwright.cosi.core.BucketStep;
import io.bucketwright.cosi.sidecar.driver.DriverMethod;
import io.bucketwright.cosi.sidecar.driver.DriverOrder;
import io.bucketwright.runtime.client.ApiWriter;
import io.bucketwright.runtime.controller.Problem;
import io.bucketwright.runtime.events.EventRecorder;
import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.api.model.ObjectMeta;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;

/** Keeps the record of a bucket in the Bucket, and reports by events on it and on its claim. */
record ReleasedBucketBinding(ApiWriter writer, EventRecorder events) implements BucketBinding<ReleasedBucketRecord> {

    private static final String[] FINALIZERS = {ReleasedNames.BUCKET_FINALIZER, ReleasedNames.ACCESSED_BUCKET_FINALIZER
    };

    @Override
    public void record(ReleasedBucketRecord record, String id) {
        Consumer<ObjectMeta> change = ReleasedUpdates.finalizers(FINALIZERS)
                .andThen(ReleasedUpdates.annotation(
                        ReleasedNames.BUCKET_UID, record.bucket().getMetadata().getUid()));
        // The id of an existing bucket is in the spec.
        boolean known = id.isEmpty() || id.equals(record.bucket().spec().existingBucketID());
        replace(record, known ? change : change.andThen(ReleasedUpdates.annotation(ReleasedNames.BUCKET_ID, id)));
    }

    @Override
    public void publish(ReleasedBucketRecord record, String id, boolean ready) {
        ReleasedBucket _ =
                writer.replaceStatus(ReleasedUpdates.with(record.bucket(), new ReleasedBucketStatus(ready, id)));
    }

    @Override
    public void awaitConfirmation(ReleasedBucketRecord record) {
        ObjectMeta bucket = record.bucket().getMetadata();
        String message = "Bucket " + bucket.getName() + " was restored from a backup. "
                + (record.isConfirmed()
                        ? "Its record has no id of a bucket: write it to spec.existingBucketID of the Bucket."
                        : "Nothing is created, granted or deleted, because another object or cluster may use its bucket. If"
                                + " nobody else does, an administrator confirms it with: kubectl annotate bucket."
                                + ReleasedNames.GROUP + " " + bucket.getName() + " --overwrite "
                                + ReleasedNames.USE_RESTORED + "=" + bucket.getUid());
        warn(record, ReleasedReason.BUCKET_RESTORED, "Restore", message);
    }

    @Override
    public void release(ReleasedBucketRecord record, BucketStep.Left left) {
        String rpc = DriverMethod.DELETE_BUCKET.rpc();
        switch (left) {
            case NOTHING -> {}
            case RETAINED ->
                events.normal(
                        record.bucket(),
                        ReleasedReason.BUCKET_RETAINED,
                        rpc,
                        "Bucket " + record.id() + " stays in the store with its data: deletionPolicy is not Delete.");
            case RESTORED ->
                events.normal(
                        record.bucket(),
                        ReleasedReason.BUCKET_RETAINED,
                        rpc,
                        "Bucket " + record.formerId()
                                + " stays in the store with its data: this Bucket was restored, and"
                                + " nobody confirmed that it is its own.");
            case PERHAPS ->
                events.warning(
                        record.bucket(),
                        ReleasedReason.BUCKET_RETAINED,
                        rpc,
                        "No id of the driver is recorded for this Bucket, so nothing is deleted. If the store has a bucket "
                                + record.name() + " that was created for it, delete it there.");
        }
        replace(record, ReleasedUpdates.withoutFinalizers(FINALIZERS));
    }

    @Override
    public void giveUp(ReleasedBucketRecord record, String id, String cause) {
        DriverMethod method = DriverMethod.DELETE_BUCKET;
        events.warning(
                record.bucket(),
                method.eventReason(),
                method.rpc(),
                cause + " An earlier call may have deleted it, so the Bucket is released. If the store has a bucket "
                        + id + ", delete it there.");
    }

    @Override
    public void report(ReleasedBucketRecord record, DriverMethod method, Problem problem) {
        warn(record, method.eventReason(), problem.reason(), problem.message());
    }

    private void warn(ReleasedBucketRecord record, String reason, String action, String message) {
        concerned(record).forEach(object -> events.warning(object, reason, action, message));
    }

    @Override
    public Problem explain(ReleasedBucketRecord record, Problem problem, boolean untried) {
        boolean exists = problem.reason().equals(ProvisionerReason.ALREADY_EXISTS.text());
        boolean certain = untried
                || problem.reason().equals(ProvisionerReason.DRIVER_TIMEOUT.text())
                || problem.reason().equals(ProvisionerReason.DRIVER_UNAVAILABLE.text());
        if (!exists && certain) {
            return problem;
        }
        String which = exists
                ? " A bucket of this name exists in the store, so it is not used. Delete it there. Or, if it is the one that"
                        + " this Bucket is for, write its id"
                : " An earlier call may have created the bucket. If the store has it, write its id";
        return new Problem(
                problem.reason(),
                problem.message() + which
                        + " to spec.existingBucketID of the Bucket. For deletionPolicy Delete, also set"
                        + " the annotation " + ReleasedNames.DELETE_EXISTING_BUCKET + " of the Bucket to true.",
                problem.recovery());
    }

    @Override
    public DriverOrder.Create creation(ReleasedBucketRecord record) {
        return ReleasedOrders.create(record.bucket());
    }

    @Override
    public DriverOrder.Delete deletion(ReleasedBucketRecord record, String id) {
        return ReleasedOrders.delete(record.bucket(), id);
    }

    @Override
    public List<HasMetadata> concerned(ReleasedBucketRecord record) {
        List<HasMetadata> objects = new ArrayList<>(List.of(record.bucket()));
        record.claim().ifPresent(objects::add);
        return objects;
    }

    void markReady(BucketClaim claim, ReleasedBucket bucket) {
        BucketClaim _ = writer.replaceStatus(ReleasedUpdates.with(
                claim, new BucketClaimStatus(true, bucket.getMetadata().getName())));
    }

    void removeFinalizer(BucketClaim claim) {
        BucketClaim _ = writer.replace(
                claim,
                whole -> ReleasedUpdates.changed(
                        whole, ReleasedUpdates.withoutFinalizers(ReleasedNames.CLAIM_FINALIZER)));
    }

    private void replace(ReleasedBucketRecord record, Consumer<ObjectMeta> change) {
        ReleasedBucket _ = writer.replace(record.bucket(), whole -> ReleasedUpdates.changed(whole, change));
    }
}
