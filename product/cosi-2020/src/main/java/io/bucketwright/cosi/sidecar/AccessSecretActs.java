package io.bucketwright.cosi.sidecar;

import io.bucketwright.api.cosi.BucketAccess;
import io.bucketwright.api.cosi.CosiNames;
import io.bucketwright.api.cosi.status.CosiReason;
import io.bucketwright.api.cosi.status.ProvisionerReason;
import io.bucketwright.cosi.sidecar.driver.DriverMethod;
import io.bucketwright.runtime.ObjectKey;
import io.bucketwright.runtime.client.ApiError;
import io.bucketwright.runtime.client.ApiException;
import io.bucketwright.runtime.client.ApiWriter;
import io.bucketwright.runtime.controller.InFlightState;
import io.bucketwright.runtime.controller.Outcome;
import io.bucketwright.runtime.controller.Problem;
import io.bucketwright.runtime.controller.Result;
import io.bucketwright.runtime.objects.Metadata;
import io.bucketwright.runtime.objects.OwnedSecret;
import io.bucketwright.runtime.objects.OwnedSecret.Lookup;
import io.fabric8.kubernetes.api.model.Secret;
import io.fabric8.kubernetes.api.model.SecretBuilder;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Carries out the steps about the Secret {@code ba-<uid>} in the provisioner's namespace. A Secret of that name that is not
 * owned by the BucketAccess is never changed.
 */
final class AccessSecretActs {

    private final SidecarContext context;
    private final InFlightState<ObjectKey, SidecarAccessState> inFlight;
    private final ApiWriter writer;
    private final OwnedSecret secrets;
    private final String namespace;

    AccessSecretActs(SidecarContext context, InFlightState<ObjectKey, SidecarAccessState> inFlight) {
        this.context = context;
        this.inFlight = inFlight;
        this.writer = context.runtime().writer();
        this.secrets = new OwnedSecret(writer, context.runtime().reader());
        this.namespace = context.provisioner().namespace();
    }

    Outcome write(SidecarAccessStep.WriteSecret step) {
        try {
            Lookup<Secret> written = step.known()
                    .<Lookup<Secret>>map(known -> new Lookup.Owned<>(update(step, known)))
                    .orElseGet(() -> secrets.create(
                            newSecret(step), found -> isOwned(found, step.access()), found -> update(step, found)));
            switch (written) {
                case Lookup.Owned<Secret> _ -> written(step);
                case Lookup.Foreign<Secret>(Secret foreign) -> failed(step, nameInUse(foreign));
                case Lookup.Missing<Secret> _ -> {
                    // It was deleted between two requests: the next step creates it.
                }
            }
        } catch (ApiException e) {
            if (!isReported(e.error())) {
                throw e;
            }
            failed(
                    step,
                    Problem.retryable(
                            ProvisionerReason.SECRET_WRITE_FAILED.text(),
                            e.error().message()));
        }
        return Outcome.progress();
    }

    Outcome read(SidecarAccessStep.ReadSecret step) {
        Lookup<Secret> found =
                secrets.read(Secret.class, namespace, name(step.access()), secret -> isOwned(secret, step.access()));
        if (found instanceof Lookup.Owned<Secret>(Secret secret)) {
            writer.merge(secret, Map.of("metadata", Map.of("labels", labels(step.access()))));
        } else {
            inFlight.update(ObjectKey.of(step.access()), SidecarAccessState::withMissingSecret);
        }
        return Outcome.progress();
    }

    Outcome keepCredentials(SidecarAccessStep.KeepCredentials step) {
        IssuedCredentials kept = new IssuedCredentials(
                SecretData.of(step.secret()),
                Metadata.annotation(step.secret(), CosiNames.ROTATED_AT),
                SidecarAccessDecision.accountIn(step.secret(), step.access()),
                DriverIds.of(step.secret()),
                Optional.empty(),
                Metadata.annotation(step.secret(), CosiNames.PREVIOUS_VALID_UNTIL));
        inFlight.update(ObjectKey.of(step.access()), state -> state.withCredentials(kept));
        inFlight.clearFailure(ObjectKey.of(step.access()));
        return Outcome.progress();
    }

    Outcome delete(SidecarAccessStep.DeleteSecret step) {
        writer.delete(step.secret());
        return Outcome.progress();
    }

    Outcome removeFinalizer(SidecarAccessStep.RemoveSecretFinalizer step) {
        Secret secret = step.secret();
        if (!Metadata.hasFinalizer(secret, CosiNames.PROVISIONER_FINALIZER)) {
            // The watch reports when the other finalizers are removed.
            return Outcome.finish(Result.requiresChange("Secret "
                    + secret.getMetadata().getName() + " is being deleted and has the finalizers "
                    + Metadata.finalizers(secret)));
        }
        writer.merge(secret, Metadata.withoutFinalizer(secret, CosiNames.PROVISIONER_FINALIZER));
        inFlight.update(ObjectKey.of(step.access()), SidecarAccessState::withMissingSecret);
        return Outcome.progress();
    }

    Outcome endOverlap(SidecarAccessStep.EndOverlap step) {
        writer.merge(
                step.secret(),
                Metadata.patch(step.secret())
                        .withoutAnnotation(CosiNames.PREVIOUS_VALID_UNTIL)
                        .withoutAnnotation(CosiNames.PREVIOUS_ACCOUNT_ID)
                        .fields());
        return Outcome.progress();
    }

    private Secret update(SidecarAccessStep.WriteSecret step, Secret known) {
        Map<String, @Nullable String> data = new HashMap<>();
        // A merge patch keeps keys that it does not name.
        Optional.ofNullable(known.getData()).orElse(Map.of()).keySet().forEach(old -> data.put(old, null));
        data.putAll(SecretData.encoded(step.credentials().values()));
        Map<String, @Nullable String> annotations = new HashMap<>(annotations(step));
        annotations.putAll(ids(step, known).changes(DriverIds.of(known)));
        return writer.merge(
                known,
                Map.of("metadata", Map.of("labels", labels(step.access()), "annotations", annotations), "data", data));
    }

    /** The account that the Secret contained before is revoked later, so its id is kept. */
    private static DriverIds ids(SidecarAccessStep.WriteSecret step, Secret known) {
        DriverIds former = DriverIds.of(known);
        boolean sameAccount = SidecarAccessDecision.accountIn(known, step.access())
                .equals(step.credentials().account());
        return step.credentials().ids().withPreviousAccount(sameAccount ? former.previousAccount() : former.account());
    }

    private void written(SidecarAccessStep.WriteSecret step) {
        inFlight.update(ObjectKey.of(step.access()), SidecarAccessState::withoutCredentials);
        inFlight.clearFailure(ObjectKey.of(step.access()));
        String rotatedAt = step.credentials().rotatedAt();
        // That access was granted is an event of the BucketAccessRequest, and the condition of the BucketAccess.
        if (step.known().isPresent() && !rotatedAt.isEmpty()) {
            context.runtime()
                    .events()
                    .normal(
                            step.access(),
                            CosiReason.ACCESS_ROTATED,
                            DriverMethod.GRANT_ACCESS.rpc(),
                            "Rotated the credentials, as requested for " + rotatedAt + ".");
        }
    }

    private void failed(SidecarAccessStep.WriteSecret step, Problem problem) {
        inFlight.recordFailure(ObjectKey.of(step.access()), DriverMethod.GRANT_ACCESS, step.inputs(), problem);
    }

    private Problem nameInUse(Secret foreign) {
        return Problem.retryable(
                ProvisionerReason.SECRET_IN_USE.text(),
                "Secret " + namespace + "/" + foreign.getMetadata().getName()
                        + " exists and is not owned by this BucketAccess, so it is not overwritten. Delete it; the"
                        + " sidecar retries.");
    }

    private Secret newSecret(SidecarAccessStep.WriteSecret step) {
        return new SecretBuilder()
                .withNewMetadata()
                .withNamespace(namespace)
                .withName(name(step.access()))
                .withLabels(labels(step.access()))
                .withAnnotations(newAnnotations(step))
                .withFinalizers(CosiNames.PROVISIONER_FINALIZER)
                .endMetadata()
                .withType("Opaque")
                .withData(SecretData.encoded(step.credentials().values()))
                .build();
    }

    private Map<String, String> labels(BucketAccess access) {
        return Map.of(
                CosiNames.PROVISIONER_LABEL,
                context.provisioner().label(),
                CosiNames.BUCKET_ACCESS_UID,
                access.getMetadata().getUid());
    }

    private Map<String, String> newAnnotations(SidecarAccessStep.WriteSecret step) {
        Map<String, String> annotations = annotations(step);
        annotations.putAll(step.credentials().ids().annotations());
        return annotations;
    }

    private Map<String, String> annotations(SidecarAccessStep.WriteSecret step) {
        Map<String, String> annotations =
                step.credentials().annotations(context.runtime().time().now());
        annotations.put(CosiNames.BUCKET_ACCESS_UID, step.access().getMetadata().getUid());
        return annotations;
    }

    private static boolean isOwned(Secret secret, BucketAccess access) {
        return Metadata.annotation(secret, CosiNames.BUCKET_ACCESS_UID)
                .equals(access.getMetadata().getUid());
    }

    private static boolean isReported(ApiError error) {
        return error instanceof ApiError.Forbidden
                || error instanceof ApiError.Invalid
                || error instanceof ApiError.NotFound
                || error instanceof ApiError.Terminating;
    }

    private static String name(BucketAccess access) {
        return access.account();
    }
}
