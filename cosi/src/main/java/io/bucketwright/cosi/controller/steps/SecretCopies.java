package io.bucketwright.cosi.controller.steps;

import io.bucketwright.api.cosi.BucketAccess;
import io.bucketwright.api.cosi.CosiNames;
import io.bucketwright.cosi.controller.objects.AccessSecrets;
import io.bucketwright.cosi.controller.objects.CosiMetadata;
import io.bucketwright.cosi.controller.objects.ReconcileState;
import io.bucketwright.runtime.client.ApiWriter;
import io.bucketwright.runtime.client.JsonPatch;
import io.bucketwright.runtime.controller.Outcome;
import io.bucketwright.runtime.controller.Result;
import io.bucketwright.runtime.objects.Metadata;
import io.bucketwright.runtime.objects.OwnedSecret;
import io.fabric8.kubernetes.api.model.Secret;
import io.fabric8.kubernetes.api.model.SecretBuilder;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;

/** Copies the provisioner's Secret into the application's namespace. A Secret of another owner is never changed. */
public record SecretCopies(AccessSecrets secrets, ApiWriter writer, OwnedSecret owned, ReconcileState state) {

    Outcome copy(ControllerStep.CopySecret step) {
        Optional<Secret> original = secrets.granted(step.access());
        if (original.isEmpty()) {
            return Outcome.progress();
        }
        Optional<Secret> copy = secrets.copy(step.access());
        if (copy.isPresent()) {
            update(copy.get(), original.get(), step.access());
            return Outcome.progress();
        }
        Secret wanted = newSecret(step, original.get());
        String requestUid = step.request().getMetadata().getUid();
        return switch (owned.create(
                wanted,
                found -> Metadata.isOwnedBy(found, requestUid),
                found -> update(found, original.get(), step.access()))) {
            case OwnedSecret.Lookup.Owned<Secret> _ -> Outcome.progress();
            case OwnedSecret.Lookup.Foreign<Secret> _ -> {
                state.addConflict(requestUid);
                yield Outcome.progress();
            }
            case OwnedSecret.Lookup.Missing<Secret> _ ->
                Outcome.finish(Result.retry(
                        "Secret " + wanted.getMetadata().getName() + " existed and was deleted at the same moment"));
        };
    }

    private Secret update(Secret current, Secret original, BucketAccess access) {
        Map<String, String> labels = new HashMap<>(Metadata.labels(current));
        labels.putAll(labels(access));
        return writer.patch(
                current,
                JsonPatch.empty().add("/data", AccessSecrets.data(original)).add("/metadata/labels", labels));
    }

    private static Secret newSecret(ControllerStep.CopySecret step, Secret original) {
        return new SecretBuilder()
                .withNewMetadata()
                .withNamespace(step.request().getMetadata().getNamespace())
                .withName(step.access().getSpec().applicationSecretName())
                .withLabels(labels(step.access()))
                .withOwnerReferences(Metadata.ownerReference(step.request()))
                .endMetadata()
                .withType("Opaque")
                .withData(AccessSecrets.data(original))
                .build();
    }

    private static Map<String, String> labels(BucketAccess access) {
        Map<String, String> labels = new HashMap<>();
        labels.put(CosiNames.BUCKET_ACCESS_UID, access.getMetadata().getUid());
        access.getSpec().servedBy().map(CosiMetadata::labels).ifPresent(labels::putAll);
        return labels;
    }
}
