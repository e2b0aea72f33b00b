package io.bucketwright.cosi.core;

import io.bucketwright.api.cosi.CosiNames;
import io.bucketwright.api.cosi.status.ProvisionerReason;
import io.bucketwright.api.objectstorage.ReleasedNames;
import io.bucketwright.cosi.core.AccessStep.Credentials;
import io.bucketwright.cosi.sidecar.driver.DriverMethod;
import io.bucketwright.runtime.ObjectKey;
import io.bucketwright.runtime.client.ApiError;
import io.bucketwright.runtime.client.ApiException;
import io.bucketwright.runtime.client.ApiWriter;
import io.bucketwright.runtime.controller.InFlightState;
import io.bucketwright.runtime.controller.Outcome;
import io.bucketwright.runtime.controller.Problem;
import io.bucketwright.runtime.engine.ControllerContext;
import io.bucketwright.runtime.objects.Metadata;
import io.bucketwright.runtime.objects.OwnedSecret;
import io.bucketwright.runtime.objects.OwnedSecret.Lookup;
import io.bucketwright.store.grants.Grant;
import io.fabric8.kubernetes.api.model.Secret;
import io.fabric8.kubernetes.api.model.SecretBuilder;
import java.util.HashMap;
import java.util.Map;

/**
 * Reads, writes and releases the Secrets of accesses. A Secret that does not belong to the access is never changed, neither
 * for its content nor for its deletion.
 */
final class AccessSecrets {

    private final AccessRecord record;
    private final InFlightState<ObjectKey, AccessState> inFlight;
    private final ApiWriter writer;
    private final OwnedSecret secrets;

    AccessSecrets(ControllerContext runtime, AccessRecord record, InFlightState<ObjectKey, AccessState> inFlight) {
        this.record = record;
        this.inFlight = inFlight;
        this.writer = runtime.writer();
        this.secrets = new OwnedSecret(writer, runtime.reader());
    }

    Outcome read(ObjectKey key, String name, String inputs) {
        found(key, name, inputs, secrets.read(Secret.class, key.namespace(), name, secret -> isOwn(secret, key)));
        return Outcome.progress();
    }

    Outcome write(ObjectKey key, AccessStep.WriteSecret step) {
        Map<String, String> data = switch (step.credentials()) {
            case Credentials.Issued(var granted) -> record.content(step.access().object(), step.bucket(), granted);
            case Credentials.Copied(Secret former) -> former.getData();
        };
        Map<String, String> annotations = annotations(step.grant());
        String name = step.grant().publication().secret();
        try {
            found(
                    key,
                    name,
                    step.inputs(),
                    inFlight.get(key).secret(name) instanceof UserSecret.Owned(Secret secret, String _)
                            ? new Lookup.Owned<>(writer.replace(withContent(secret, data, annotations)))
                            : secrets.create(
                                    withContent(newSecret(key.namespace(), name), data, annotations),
                                    secret -> isOwn(secret, key),
                                    secret -> writer.replace(withContent(secret, data, annotations))));
        } catch (ApiException e) {
            if (isChanged(e.error()) && inFlight.get(key).secret(name) instanceof UserSecret.Owned) {
                forget(key, name);
                return Outcome.progress();
            }
            if (!isReported(e.error())) {
                throw e;
            }
            failed(
                    key,
                    step.inputs(),
                    Problem.retryable(
                            ProvisionerReason.SECRET_WRITE_FAILED.text(),
                            e.error().message()));
        }
        return Outcome.progress();
    }

    /** Its content proves it. If somebody has edited that, the annotation does: its finalizer must be removed. */
    private boolean isOwn(Secret secret, ObjectKey key) {
        return record.isOf(secret, key.uid())
                || Metadata.annotation(secret, UserSecret.GRANT).contains("/" + ReleasedNames.accountOf(key.uid()));
    }

    private Map<String, String> annotations(Grant grant) {
        Map<String, String> annotations = new HashMap<>(record.secretAnnotations());
        annotations.put(UserSecret.GRANT, grant.id() + "/" + grant.account().name());
        if (!grant.publication().request().isEmpty()) {
            annotations.put(CosiNames.ROTATED_AT, grant.publication().request());
        }
        return annotations;
    }

    Outcome remove(ObjectKey key, String name, Secret secret) {
        if (!Metadata.hasFinalizer(secret, ReleasedNames.SECRET_FINALIZER)) {
            writer.deleteAnyVersion(secret);
            inFlight.update(key, state -> state.withSecret(name, new UserSecret.Missing()));
            return Outcome.progress();
        }
        Secret released = new SecretBuilder(secret)
                .editMetadata()
                .removeFromFinalizers(ReleasedNames.SECRET_FINALIZER)
                .endMetadata()
                .build();
        try {
            Secret written = writer.replace(released);
            inFlight.update(key, state -> state.withSecret(name, new UserSecret.Owned(written, "")));
        } catch (ApiException e) {
            if (!isChanged(e.error())) {
                throw e;
            }
            // Somebody changed or deleted it: it is read again.
            forget(key, name);
        }
        return Outcome.progress();
    }

    private void forget(ObjectKey key, String name) {
        inFlight.update(key, state -> state.withSecret(name, new UserSecret.Unknown()));
    }

    private void found(ObjectKey key, String name, String inputs, Lookup<Secret> lookup) {
        UserSecret found = switch (lookup) {
            case Lookup.Owned<Secret>(Secret secret) -> new UserSecret.Owned(secret, record.fingerprint(secret));
            case Lookup.Missing<Secret> _ -> new UserSecret.Missing();
            case Lookup.Foreign<Secret> _ -> new UserSecret.Foreign();
        };
        inFlight.update(key, state -> state.withSecret(name, found));
        if (found instanceof UserSecret.Foreign && !inputs.isEmpty()) {
            failed(
                    key,
                    inputs,
                    Problem.retryable(
                            ProvisionerReason.SECRET_IN_USE.text(),
                            "Secret " + name + " exists and does not belong to this BucketAccess, so it is not"
                                    + " overwritten. Delete it, or set another spec.credentialsSecretName; the sidecar"
                                    + " retries."));
        }
    }

    private void failed(ObjectKey key, String inputs, Problem problem) {
        inFlight.recordFailure(key, DriverMethod.GRANT_ACCESS, inputs, problem);
    }

    private static Secret withContent(Secret secret, Map<String, String> data, Map<String, String> annotations) {
        return new SecretBuilder(secret)
                .editMetadata()
                .addToAnnotations(annotations)
                .endMetadata()
                .withData(data)
                .build();
    }

    private static Secret newSecret(String namespace, String name) {
        return new SecretBuilder()
                .withNewMetadata()
                .withNamespace(namespace)
                .withName(name)
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
