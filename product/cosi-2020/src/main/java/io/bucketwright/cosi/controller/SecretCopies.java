package io.bucketwright.cosi.controller;

import io.bucketwright.api.cosi.BucketAccess;
import io.bucketwright.api.cosi.CosiNames;
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
record SecretCopies(AccessSecrets secrets, ApiWriter writer, OwnedSecret owned, ReconcileState state) {

    Outcome copy(ControllerStep.CopySecret step) {
        Optional<Secret> cached = secrets.granted(step.access());
        if (cached.isEmpty()) {
            return Outcome.progress();
        }
        Optional<Secret> original = complete(cached.get());
        if (original.isEmpty()) {
            return Outcome.finish(
                    Result.retry("Secret " + cached.get().getMetadata().getNamespace() + "/"
                            + cached.get().getMetadata().getName() + " was changed at the same moment"));
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

    /** The Secret with its data, read if the cache does not have it. */
    private Optional<Secret> complete(Secret cached) {
        if (CachedSecret.isComplete(cached)) {
            return Optional.of(cached);
        }
        String version = cached.getMetadata().getResourceVersion();
        return owned.reader()
                .read(
                        Secret.class,
                        cached.getMetadata().getNamespace(),
                        cached.getMetadata().getName())
                .filter(found -> found.getMetadata().getResourceVersion().equals(version));
    }

    private Secret update(Secret current, Secret original, BucketAccess access) {
        JsonPatch patch = JsonPatch.empty().add("/data", AccessSecrets.data(original));
        if (Metadata.labels(current).isEmpty()) {
            return writer.patch(current, patch.add("/metadata/labels", labels(access)));
        }
        // One by one: the cache does not have the labels of others.
        for (Map.Entry<String, String> label : labels(access).entrySet()) {
            patch = patch.add(JsonPatch.path("metadata", "labels", label.getKey()), label.getValue());
        }
        return writer.patch(current, patch);
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
