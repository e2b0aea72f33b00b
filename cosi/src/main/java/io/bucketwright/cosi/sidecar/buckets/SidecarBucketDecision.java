package io.bucketwright.cosi.sidecar.buckets;

import io.bucketwright.api.cosi.ProvisionerReason;

import io.bucketwright.cosi.sidecar.driver.Trouble;

import io.bucketwright.cosi.sidecar.driver.DriverPreconditions;

import io.bucketwright.cosi.sidecar.driver.ProvisionerSecret;

import io.bucketwright.cosi.sidecar.driver.Marks;

import io.bucketwright.cosi.sidecar.driver.Failure;

import io.bucketwright.cosi.sidecar.driver.DriverMethod;




import io.bucketwright.cosi.sidecar.driver.DriverStepFactory;

import io.bucketwright.api.cosi.Bucket;
import io.bucketwright.api.cosi.BucketPhase;
import io.bucketwright.api.cosi.CosiNames;
import io.bucketwright.api.cosi.ReleasePolicy;
import io.bucketwright.cosi.proto.DataProtocol;
import io.bucketwright.cosi.wire.Protocols;
import io.bucketwright.runtime.controller.Decision;
import io.bucketwright.runtime.controller.Result;
import io.bucketwright.store.errors.InputText;
import io.bucketwright.store.connection.SecretValue;
import java.time.Duration;
import java.util.Map;
import java.util.Optional;

/** The rules for a Bucket. Pure. */
public final class SidecarBucketDecision {

    public Decision<SidecarBucketStep> decide(ObservedBucket observed) {
        return observed.bucket()
                .map(bucket -> Marks.isLeaving(bucket) ? leave(observed, bucket) : live(observed, bucket))
                .orElseGet(Decision::done);
    }

    private static Decision<SidecarBucketStep> live(ObservedBucket observed, Bucket bucket) {
        if (!Marks.hasFinalizer(bucket, CosiNames.FINALIZER)) {
            // The intent is not whole: without the finalizer a deletion would leave the bucket behind.
            return Decision.done();
        }
        if (bucket.getSpec().protocol().provisioned()) {
            return settle(observed, bucket);
        }
        Optional<Trouble> wrong = wrongOrder(bucket);
        if (wrong.isPresent()) {
            return told(observed, bucket, wrong.get(), Result.done());
        }
        if (observed.memory().connection().isPresent()) {
            return Decision.act(new SidecarBucketStep.Fill(
                    observed.key(), bucket, observed.memory().connection().get()));
        }
        return ask(
                observed,
                bucket,
                DriverMethod.CREATE_BUCKET,
                (secrets, inputs) -> new SidecarBucketStep.Create(observed.key(), bucket, secrets, inputs));
    }

    /** What no driver could make anything of. */
    private static Optional<Trouble> wrongOrder(Bucket bucket) {
        if (bucket.getSpec().creator().isEmpty()) {
            return Optional.of(Trouble.untilChange(
                    DriverMethod.CREATE_BUCKET,
                    ProvisionerReason.MISSING_CONNECTION_DATA,
                    "A Bucket that an administrator made stands for a bucket that exists, so none is made for it: say"
                            + " where it is in spec.protocol (endpoint of s3, projectId of gcs, storageAccount of"
                            + " azureBlob)."));
        }
        return bucket.getSpec().protocol().bucketName().isEmpty()
                ? Optional.of(Trouble.untilChange(
                        DriverMethod.CREATE_BUCKET,
                        ProvisionerReason.MISSING_BUCKET_NAME,
                        "The Bucket has no bucket name for its protocol "
                                + InputText.quote(bucket.getSpec().protocol().protocolSignature()) + "."))
                : Optional.empty();
    }

    private static Decision<SidecarBucketStep> settle(ObservedBucket observed, Bucket bucket) {
        boolean bound = !bucket.getSpec().bindings().isEmpty();
        String name = bucket.getSpec().protocol().bucketName();
        if (bound) {
            return BucketStatusUpdate.well(BucketPhase.BOUND, ProvisionerReason.BOUND, "Bucket " + name + " is there and bound.")
                    .thenRest(observed.key(), bucket, Result.done());
        }
        boolean retained = bucket.getSpec().onRelease() == ReleasePolicy.RETAIN;
        boolean wasBound = bucket.phase() == BucketPhase.BOUND || bucket.phase() == BucketPhase.RELEASED;
        if (retained && wasBound) {
            return BucketStatusUpdate.well(
                            BucketPhase.RELEASED, ProvisionerReason.RELEASED, "Bucket " + name + " is there and bound to nobody.")
                    .thenRest(observed.key(), bucket, Result.done());
        }
        boolean complains = BucketStatusUpdate.shown(bucket)
                .filter(condition -> !condition.getStatus().equals("True"))
                .isPresent();
        // That all went well is told with the first binding; here only an old complaint is taken back.
        return complains
                ? BucketStatusUpdate.well(bucket.phase(), ProvisionerReason.CREATED, "Bucket " + name + " is there.")
                        .thenRest(observed.key(), bucket, Result.done())
                : Decision.done();
    }

    private static Decision<SidecarBucketStep> leave(ObservedBucket observed, Bucket bucket) {
        if (bucket.phase() == BucketPhase.DELETED || !Marks.hasFinalizer(bucket, CosiNames.FINALIZER)) {
            return Decision.done();
        }
        int bindings = bucket.getSpec().bindings().size();
        if (bindings > 0) {
            return BucketStatusUpdate.leaving(
                            bucket.phase(),
                            ProvisionerReason.IN_USE,
                            "It is to be deleted, and waits until nobody is bound to it any more.",
                            "")
                    .thenRest(observed.key(), bucket, Result.done());
        }
        if (observed.accesses() > 0) {
            // Their accounts live in the driver, which needs the bucket to take them away.
            return Decision.done();
        }
        String name = bucket.getSpec().protocol().bucketName();
        if (bucket.getSpec().creator().isEmpty()) {
            return kept(observed, bucket, "Bucket " + name + " existed before, so it stays in the store.");
        }
        if (bucket.getSpec().onRelease() == ReleasePolicy.RETAIN) {
            return kept(
                    observed, bucket, "Bucket " + name + " stays in the store with its data: release policy Retain.");
        }
        if (observed.memory().undone()) {
            return BucketStatusUpdate.leaving(BucketPhase.DELETED, ProvisionerReason.DELETED, "Bucket " + name + " is gone.", "")
                    .thenRest(observed.key(), bucket, Result.done());
        }
        if (bucket.phase() != BucketPhase.DELETING) {
            return BucketStatusUpdate.leaving(BucketPhase.DELETING, ProvisionerReason.DELETING, "Bucket " + name + " is being deleted.", "")
                    .thenRest(observed.key(), bucket, Result.done());
        }
        return ask(
                observed,
                bucket,
                DriverMethod.DELETE_BUCKET,
                (secrets, inputs) -> new SidecarBucketStep.Delete(observed.key(), bucket, secrets, inputs));
    }

    private static Decision<SidecarBucketStep> kept(ObservedBucket observed, Bucket bucket, String message) {
        return BucketStatusUpdate.leaving(BucketPhase.DELETED, ProvisionerReason.RETAINED, message, "BucketRetained")
                .thenRest(observed.key(), bucket, Result.done());
    }

    private static Decision<SidecarBucketStep> ask(
            ObservedBucket observed, Bucket bucket, DriverMethod method, DriverStepFactory<SidecarBucketStep> asking) {
        String inputs = Marks.inputs(bucket) + " " + observed.surroundings().inputs();
        DataProtocol protocol = Protocols.parse(bucket.getSpec().protocol().protocolSignature())
                .orElse(DataProtocol.PROTOCOL_UNSPECIFIED);
        Optional<Trouble> obstacle = observed.surroundings().obstacle(method, protocol);
        if (obstacle.isPresent()) {
            return told(observed, bucket, obstacle.get(), Result.done());
        }
        Optional<Failure> failure = observed.memory().failure().filter(it -> it.holds(method, inputs, observed.now()));
        if (failure.isPresent()) {
            return told(observed, bucket, failure.get().trouble(), rest(failure.get(), observed));
        }
        return Decision.act(asking.step(secrets(observed.surroundings()), inputs));
    }

    private static Decision<SidecarBucketStep> told(ObservedBucket observed, Bucket bucket, Trouble trouble, Result rest) {
        return BucketStatusUpdate.trouble(bucket.phase(), trouble).thenRest(observed.key(), bucket, rest);
    }

    public static Map<String, SecretValue> secrets(DriverPreconditions surroundings) {
        return surroundings.secret() instanceof ProvisionerSecret.Usable(String _, Map<String, SecretValue> values)
                ? values
                : Map.of();
    }

    private static Result rest(Failure failure, ObservedBucket observed) {
        return failure.trouble().untilChange()
                ? Result.requiresChange(failure.trouble().message())
                : Result.requeueAfter(Duration.between(observed.now(), failure.notBefore()));
    }
}
