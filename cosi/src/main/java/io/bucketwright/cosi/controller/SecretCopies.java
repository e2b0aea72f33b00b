package io.bucketwright.cosi.controller;

import io.bucketwright.api.cosi.BucketAccess;
import io.bucketwright.api.cosi.BucketAccessRequest;
import io.bucketwright.api.cosi.CosiNames;
import io.bucketwright.runtime.ObjectKey;
import io.bucketwright.runtime.client.ApiError;
import io.bucketwright.runtime.client.ApiException;
import io.bucketwright.runtime.client.ApiWriter;
import io.bucketwright.runtime.client.JsonPatch;
import io.bucketwright.runtime.controller.Outcome;
import io.bucketwright.runtime.controller.Result;
import io.fabric8.kubernetes.api.model.Secret;
import io.fabric8.kubernetes.api.model.SecretBuilder;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientException;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** Copies what a provisioner made into its application's namespace. A Secret that is not the request's is never touched. */
final class SecretCopies {

    private final Secrets secrets;
    private final ApiWriter writer;
    private final KubernetesClient reader;
    private final ForeignSecrets foreign;

    SecretCopies(Secrets secrets, ApiWriter writer, KubernetesClient reader, ForeignSecrets foreign) {
        this.secrets = secrets;
        this.writer = writer;
        this.reader = reader;
        this.foreign = foreign;
    }

    Outcome copy(Step.CopySecret step) {
        Optional<Secret> original = secrets.granted(step.access());
        if (original.isEmpty()) {
            return Outcome.progress();
        }
        Optional<Secret> copy = secrets.copy(step.access());
        if (copy.isPresent()) {
            update(copy.get(), original.get(), step.access());
            return Outcome.progress();
        }
        try {
            writer.create(made(step.request(), step.access(), original.get()));
            return Outcome.progress();
        } catch (ApiException e) {
            if (!(e.error() instanceof ApiError.AlreadyExists)) {
                throw e;
            }
        }
        return taken(step, original.get());
    }

    /** Reads the Secret once: it may be ours, and only lack the label by which we find it. */
    private Outcome taken(Step.CopySecret step, Secret original) {
        @Nullable Secret found = read(step.access());
        if (found == null) {
            return Outcome.finish(Result.retry(
                    "Secret " + step.access().getSpec().applicationSecretName() + " was there and is gone"));
        }
        if (Marks.isOwnedBy(found, step.request().getMetadata().getUid())) {
            update(found, original, step.access());
        } else {
            foreign.remember(ObjectKey.of(step.request()));
        }
        return Outcome.progress();
    }

    private void update(Secret current, Secret original, BucketAccess access) {
        Map<String, String> labels = new HashMap<>();
        @Nullable Map<String, String> present = current.getMetadata().getLabels();
        if (present != null) {
            labels.putAll(present);
        }
        labels.putAll(labels(access));
        writer.patch(
                current, JsonPatch.empty().add("/data", Secrets.data(original)).add("/metadata/labels", labels));
    }

    private static Secret made(BucketAccessRequest request, BucketAccess access, Secret original) {
        return new SecretBuilder()
                .withNewMetadata()
                .withNamespace(request.getMetadata().getNamespace())
                .withName(access.getSpec().applicationSecretName())
                .withLabels(labels(access))
                .withOwnerReferences(Marks.owner(request))
                .endMetadata()
                .withType("Opaque")
                .withData(Secrets.data(original))
                .build();
    }

    private static Map<String, String> labels(BucketAccess access) {
        Map<String, String> labels = new HashMap<>();
        labels.put(CosiNames.BUCKET_ACCESS_UID, access.getMetadata().getUid());
        access.getSpec().servedBy().map(NewObjects::labels).ifPresent(labels::putAll);
        return labels;
    }

    private @Nullable Secret read(BucketAccess access) {
        String namespace = access.getSpec().bucketAccessRequestNamespace();
        String name = access.getSpec().applicationSecretName();
        try {
            return reader.secrets().inNamespace(namespace).withName(name).get();
        } catch (KubernetesClientException e) {
            throw new ApiException(
                    new ApiError.Unavailable("Reading Secret " + namespace + "/" + name + " failed: " + e.getMessage()),
                    e);
        }
    }
}
