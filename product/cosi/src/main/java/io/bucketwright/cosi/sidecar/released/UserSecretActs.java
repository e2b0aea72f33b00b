package io.bucketwright.cosi.sidecar.released;

import io.bucketwright.api.cosi.CosiNames;
import io.bucketwright.api.cosi.status.ProvisionerReason;
import io.bucketwright.api.objectstorage.ReleasedBucketAccess;
import io.bucketwright.api.objectstorage.ReleasedNames;
import io.bucketwright.cosi.sidecar.driver.DriverMethod;
import io.bucketwright.runtime.ObjectKey;
import io.bucketwright.runtime.client.ApiError;
import io.bucketwright.runtime.client.ApiException;
import io.bucketwright.runtime.client.ApiWriter;
import io.bucketwright.runtime.controller.InFlightState;
import io.bucketwright.runtime.controller.Outcome;
import io.bucketwright.runtime.controller.Problem;
import io.bucketwright.runtime.objects.Metadata;
import io.bucketwright.runtime.objects.OwnedSecret;
import io.bucketwright.runtime.objects.OwnedSecret.Lookup;
import io.fabric8.kubernetes.api.model.Secret;
import io.fabric8.kubernetes.api.model.SecretBuilder;
import java.util.Map;

/**
 * Carries out the steps about the Secret that a BucketAccess names. A Secret that does not belong to the BucketAccess is
 * never changed, neither for its content nor for its deletion.
 */
final class UserSecretActs {

    private final ReleasedContext context;
    private final InFlightState<ObjectKey, ReleasedAccessState> inFlight;
    private final ApiWriter writer;
    private final OwnedSecret secrets;

    UserSecretActs(ReleasedContext context, InFlightState<ObjectKey, ReleasedAccessState> inFlight) {
        this.context = context;
        this.inFlight = inFlight;
        this.writer = context.runtime().writer();
        this.secrets = new OwnedSecret(writer, context.runtime().reader());
    }

    Outcome read(ReleasedBucketAccess access) {
        found(
                access,
                context.preconditions().inputs(access),
                secrets.read(
                        Secret.class,
                        access.getMetadata().getNamespace(),
                        access.spec().credentialsSecretName(),
                        secret -> BucketInfoContent.isOf(secret, access)));
        return Outcome.progress();
    }

    Outcome write(ReleasedAccessStep.WriteSecret step) {
        Map<String, String> data =
                BucketInfoContent.data(step.access(), step.accessClass(), step.bucket(), step.granted());
        Map<String, String> annotations =
                step.rotation().isEmpty() ? Map.of() : Map.of(CosiNames.ROTATED_AT, step.rotation());
        ObjectKey key = ObjectKey.of(step.access());
        try {
            found(
                    step.access(),
                    step.inputs(),
                    inFlight.get(key).secret() instanceof UserSecret.Owned(Secret secret)
                            ? new Lookup.Owned<>(writer.replace(withContent(secret, data, annotations)))
                            : secrets.create(
                                    withContent(newSecret(step.access()), data, annotations),
                                    secret -> BucketInfoContent.isOf(secret, step.access()),
                                    secret -> writer.replace(withContent(secret, data, annotations))));
        } catch (ApiException e) {
            if (isChanged(e.error()) && inFlight.get(key).secret() instanceof UserSecret.Owned) {
                inFlight.update(key, state -> state.withSecret(new UserSecret.Unknown()));
                return Outcome.progress();
            }
            if (!isReported(e.error())) {
                throw e;
            }
            failed(
                    step.access(),
                    step.inputs(),
                    Problem.retryable(
                            ProvisionerReason.SECRET_WRITE_FAILED.text(),
                            e.error().message()));
        }
        return Outcome.progress();
    }

    Outcome remove(ReleasedAccessStep.RemoveSecret step) {
        ObjectKey key = ObjectKey.of(step.access());
        Secret secret = step.secret();
        if (!Metadata.hasFinalizer(secret, ReleasedNames.SECRET_FINALIZER)) {
            writer.deleteAnyVersion(secret);
            inFlight.update(key, state -> state.withSecret(new UserSecret.Missing()));
            return Outcome.progress();
        }
        Secret released = new SecretBuilder(secret)
                .editMetadata()
                .removeFromFinalizers(ReleasedNames.SECRET_FINALIZER)
                .endMetadata()
                .build();
        try {
            Secret written = writer.replace(released);
            inFlight.update(key, state -> state.withSecret(new UserSecret.Owned(written)));
        } catch (ApiException e) {
            if (!isChanged(e.error())) {
                throw e;
            }
            // Somebody changed or deleted it: it is read again.
            inFlight.update(key, state -> state.withSecret(new UserSecret.Unknown()));
        }
        return Outcome.progress();
    }

    private void found(ReleasedBucketAccess access, String inputs, Lookup<Secret> lookup) {
        ObjectKey key = ObjectKey.of(access);
        switch (lookup) {
            case Lookup.Owned<Secret>(Secret secret) -> {
                inFlight.update(key, state -> state.withSecret(new UserSecret.Owned(secret)));
                inFlight.clearFailure(key);
            }
            case Lookup.Missing<Secret> _ -> inFlight.update(key, state -> state.withSecret(new UserSecret.Missing()));
            case Lookup.Foreign<Secret> _ -> {
                inFlight.update(key, state -> state.withSecret(new UserSecret.Foreign()));
                if (!Metadata.isBeingDeleted(access)) {
                    failed(access, inputs, nameInUse(access));
                }
            }
        }
    }

    private void failed(ReleasedBucketAccess access, String inputs, Problem problem) {
        inFlight.recordFailure(ObjectKey.of(access), DriverMethod.GRANT_ACCESS, inputs, problem);
    }

    private static Problem nameInUse(ReleasedBucketAccess access) {
        return Problem.retryable(
                ProvisionerReason.SECRET_IN_USE.text(),
                "Secret " + access.spec().credentialsSecretName()
                        + " exists and does not belong to this BucketAccess, so it is not overwritten. Delete it, or set"
                        + " another spec.credentialsSecretName; the sidecar retries.");
    }

    private static Secret withContent(Secret secret, Map<String, String> data, Map<String, String> annotations) {
        return new SecretBuilder(secret)
                .editMetadata()
                .addToAnnotations(annotations)
                .endMetadata()
                .withData(data)
                .build();
    }

    private static Secret newSecret(ReleasedBucketAccess access) {
        return new SecretBuilder()
                .withNewMetadata()
                .withNamespace(access.getMetadata().getNamespace())
                .withName(access.spec().credentialsSecretName())
                .withFinalizers(ReleasedNames.SECRET_FINALIZER)
                .endMetadata()
                .withType("Opaque")
                .build();
    }

    private static boolean isChanged(ApiError error) {
        return error instanceof ApiError.Conflict || error instanceof ApiError.NotFound;
    }

    private static boolean isReported(ApiError error) {
        return error instanceof ApiError.Forbidden
                || error instanceof ApiError.Invalid
                || error instanceof ApiError.Terminating;
    }
}
