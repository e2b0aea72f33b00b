package io.bucketwright.cosi.sidecar.accesses;

import io.bucketwright.cosi.sidecar.driver.Trouble;



import io.bucketwright.cosi.sidecar.driver.Marks;

import io.bucketwright.cosi.sidecar.driver.Failure;

import io.bucketwright.cosi.sidecar.driver.DriverMethod;

import io.bucketwright.cosi.sidecar.driver.BackendBucket;




import io.bucketwright.cosi.sidecar.buckets.SidecarBucketDecision;

import io.bucketwright.api.cosi.ProvisionerReason;
import io.bucketwright.api.cosi.Bucket;
import io.bucketwright.api.cosi.BucketAccess;
import io.bucketwright.api.cosi.BucketAccessPhase;
import io.bucketwright.api.cosi.CosiNames;
import io.bucketwright.cosi.proto.DataProtocol;
import io.bucketwright.cosi.wire.Protocols;
import io.bucketwright.runtime.controller.Decision;
import io.bucketwright.runtime.controller.Result;
import io.bucketwright.store.connection.ConnectionDataKey;
import io.fabric8.kubernetes.api.model.Secret;
import java.time.Duration;
import java.util.Map;
import java.util.Optional;

/** The rules for a BucketAccess. Pure. */
public final class SidecarAccessDecision {

    public Decision<SidecarAccessStep> decide(ObservedAccess observed) {
        return observed.access()
                .map(access -> Marks.isLeaving(access) ? leave(observed, access) : live(observed, access))
                .orElseGet(Decision::done);
    }

    private static Decision<SidecarAccessStep> live(ObservedAccess observed, BucketAccess access) {
        if (!Marks.hasFinalizer(access, CosiNames.PROVISIONER_FINALIZER)) {
            return Decision.act(new SidecarAccessStep.Hold(access));
        }
        return observed.secret()
                .map(secret -> Marks.isLeaving(secret) ? rescue(observed, secret) : granted(observed, access, secret))
                .orElseGet(() -> ungranted(observed, access));
    }

    /** Somebody deletes the Secret of an access that is to stay: the next one gets the same keys. */
    private static Decision<SidecarAccessStep> rescue(ObservedAccess observed, Secret secret) {
        return observed.memory().credentials().isEmpty()
                ? Decision.act(new SidecarAccessStep.Save(observed.key(), secret))
                : Decision.act(new SidecarAccessStep.LetGoOfSecret(observed.key(), secret));
    }

    private static Decision<SidecarAccessStep> granted(ObservedAccess observed, BucketAccess access, Secret secret) {
        return switch (CredentialRotation.of(access, Optional.of(secret), observed.now())) {
            case CredentialRotation.None() -> AccessReport.nothingThenRest(access, Result.done());
            case CredentialRotation.Later(Duration until) -> AccessReport.nothingThenRest(access, Result.requeueAfter(until));
            case CredentialRotation.Wrong(Trouble trouble) -> AccessReport.thenRest(access, trouble, Result.done());
            case CredentialRotation.Due(String at) -> grant(observed, access, at);
        };
    }

    private static Decision<SidecarAccessStep> ungranted(ObservedAccess observed, BucketAccess access) {
        String rotateAt =
                CredentialRotation.of(access, Optional.empty(), observed.now()) instanceof CredentialRotation.Due(String at) ? at : "";
        boolean wasGranted =
                access.phase().filter(phase -> phase == BucketAccessPhase.BOUND).isPresent();
        boolean unknown =
                observed.memory().credentials().isEmpty() && !observed.memory().looked();
        if (wasGranted && unknown) {
            // Granting anew would end the keys that pods use; a stripped label is not a deletion.
            return Decision.act(new SidecarAccessStep.Look(observed.key(), access));
        }
        return grant(observed, access, rotateAt);
    }

    private static Decision<SidecarAccessStep> grant(ObservedAccess observed, BucketAccess access, String rotateAt) {
        Optional<Bucket> ready = observed.bucket()
                .filter(bucket -> !Marks.isLeaving(bucket))
                .filter(bucket -> bucket.getSpec().protocol().provisioned());
        if (ready.isEmpty()) {
            // The Bucket's own events bring this back.
            return Decision.done();
        }
        Bucket bucket = ready.get();
        String inputs = inputs(observed, access);
        Optional<Failure> failure = failure(observed, DriverMethod.GRANT_ACCESS, inputs);
        if (observed.memory().credentials().isPresent() && failure.isEmpty()) {
            return Decision.act(new SidecarAccessStep.PutSecret(
                    observed.key(),
                    access,
                    observed.secret(),
                    observed.memory().credentials().get(),
                    inputs));
        }
        Optional<Trouble> obstacle = mismatch(access, bucket)
                .or(() -> observed.surroundings().obstacle(DriverMethod.GRANT_ACCESS, protocol(access)));
        if (obstacle.isPresent()) {
            return AccessReport.thenRest(access, obstacle.get(), Result.done());
        }
        if (failure.isPresent()) {
            return failed(observed, access, failure.get());
        }
        return Decision.act(new SidecarAccessStep.Grant(
                observed.key(),
                access,
                inStore(bucket),
                rotateAt,
                SidecarBucketDecision.secrets(observed.surroundings()),
                inputs));
    }

    private static Optional<Trouble> mismatch(BucketAccess access, Bucket bucket) {
        boolean same = Protocols.parse(bucket.getSpec().protocol().protocolSignature())
                .filter(protocol -> protocol == protocol(access))
                .isPresent();
        return same
                ? Optional.empty()
                : Optional.of(Trouble.untilChange(
                        DriverMethod.GRANT_ACCESS,
                        ProvisionerReason.INVALID_PROTOCOL,
                        "The access is for another protocol than its Bucket's: choose another BucketAccessClass."));
    }

    private static Decision<SidecarAccessStep> leave(ObservedAccess observed, BucketAccess access) {
        if (!Marks.hasFinalizer(access, CosiNames.PROVISIONER_FINALIZER)) {
            return Decision.done();
        }
        if (!observed.memory().undone()) {
            return revoke(observed, access);
        }
        if (observed.secret().isPresent()) {
            Secret secret = observed.secret().get();
            return Decision.act(
                    Marks.isLeaving(secret)
                            ? new SidecarAccessStep.LetGoOfSecret(observed.key(), secret)
                            : new SidecarAccessStep.DeleteSecret(secret));
        }
        boolean wasGranted =
                access.phase().filter(phase -> phase == BucketAccessPhase.BOUND).isPresent();
        return wasGranted && !observed.memory().looked()
                ? Decision.act(new SidecarAccessStep.Look(observed.key(), access))
                : Decision.act(new SidecarAccessStep.LetGo(access));
    }

    private static Decision<SidecarAccessStep> revoke(ObservedAccess observed, BucketAccess access) {
        Optional<BackendBucket> bucket =
                observed.bucket().map(SidecarAccessDecision::inStore).or(() -> rememberedIn(observed.secret()));
        if (bucket.isEmpty()) {
            return Decision.act(new SidecarAccessStep.Abandon(observed.key(), access));
        }
        String inputs = inputs(observed, access);
        Optional<Trouble> obstacle = observed.surroundings().obstacle(DriverMethod.REVOKE_ACCESS, protocol(access));
        if (obstacle.isPresent()) {
            return AccessReport.thenRest(access, obstacle.get(), Result.done());
        }
        Optional<Failure> failure = failure(observed, DriverMethod.REVOKE_ACCESS, inputs);
        if (failure.isPresent()) {
            return failed(observed, access, failure.get());
        }
        return Decision.act(new SidecarAccessStep.Revoke(
                observed.key(), access, bucket.get(), SidecarBucketDecision.secrets(observed.surroundings()), inputs));
    }

    /** A Bucket that somebody removed by force is still named in the Secret. */
    private static Optional<BackendBucket> rememberedIn(Optional<Secret> secret) {
        return secret.map(SecretData::of)
                .flatMap(content -> Optional.ofNullable(content.get(ConnectionDataKey.BUCKET_NAME.name())))
                .map(name -> new BackendBucket(name.reveal(), Map.of()));
    }

    private static BackendBucket inStore(Bucket bucket) {
        return new BackendBucket(
                bucket.getSpec().protocol().bucketName(), bucket.getSpec().parameters());
    }

    private static DataProtocol protocol(BucketAccess access) {
        return Protocols.parse(access.getSpec().protocol()).orElse(DataProtocol.PROTOCOL_UNSPECIFIED);
    }

    private static String inputs(ObservedAccess observed, BucketAccess access) {
        return Marks.inputs(access) + " "
                + observed.bucket().map(bucket -> bucket.getMetadata().getUid()).orElse("gone") + " "
                + observed.surroundings().inputs();
    }

    private static Optional<Failure> failure(ObservedAccess observed, DriverMethod method, String inputs) {
        return observed.memory().failure().filter(it -> it.holds(method, inputs, observed.now()));
    }

    private static Decision<SidecarAccessStep> failed(ObservedAccess observed, BucketAccess access, Failure failure) {
        Result rest = failure.trouble().untilChange()
                ? Result.requiresChange(failure.trouble().message())
                : Result.requeueAfter(Duration.between(observed.now(), failure.notBefore()));
        return AccessReport.thenRest(access, failure.trouble(), rest);
    }
}
