package io.bucketwright.cosi.sidecar.accesses;

import io.bucketwright.cosi.sidecar.driver.Trouble;


import io.bucketwright.cosi.sidecar.driver.Recollection;

import io.bucketwright.cosi.sidecar.driver.Memory;

import io.bucketwright.cosi.sidecar.driver.Marks;

import io.bucketwright.cosi.sidecar.driver.DriverMethod;



import io.bucketwright.api.cosi.ProvisionerReason;
import io.bucketwright.api.cosi.BucketAccess;
import io.bucketwright.api.cosi.CosiNames;
import io.bucketwright.api.cosi.Provisioner;
import io.bucketwright.runtime.client.ApiError;
import io.bucketwright.runtime.client.ApiException;
import io.bucketwright.runtime.client.ApiWriter;
import io.bucketwright.runtime.controller.Outcome;
import io.bucketwright.runtime.controller.Result;
import io.bucketwright.runtime.events.EventRecorder;
import io.fabric8.kubernetes.api.model.Secret;
import io.fabric8.kubernetes.api.model.SecretBuilder;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** The steps about the Secret {@code ba-<uid>} in the provisioner's own namespace. A foreign one is never touched. */
public final class AccessSecretActs {

    private final Provisioner provisioner;
    private final ApiWriter writer;
    private final KubernetesClient reader;
    private final EventRecorder events;
    private final Memory memory;

    public AccessSecretActs(
            Provisioner provisioner, ApiWriter writer, KubernetesClient reader, EventRecorder events, Memory memory) {
        this.provisioner = provisioner;
        this.writer = writer;
        this.reader = reader;
        this.events = events;
        this.memory = memory;
    }

    public Outcome put(SidecarAccessStep.PutSecret step) {
        try {
            if (step.known().isPresent()) {
                update(step, step.known().get());
            } else {
                create(step);
            }
        } catch (ApiException e) {
            if (!isTold(e.error())) {
                throw e;
            }
            memory.failed(
                    step.key(),
                    DriverMethod.GRANT_ACCESS,
                    step.inputs(),
                    Trouble.passing(
                            DriverMethod.GRANT_ACCESS,
                            ProvisionerReason.SECRET_WRITE_FAILED,
                            e.error().message()));
        }
        return Outcome.progress();
    }

    public Outcome look(SidecarAccessStep.Look step) {
        Optional<Secret> found = read(step.access());
        if (found.filter(secret -> isOf(secret, step.access())).isPresent()) {
            writer.merge(found.get(), Map.of("metadata", Map.of("labels", labels(step.access()))));
        } else {
            memory.change(step.key(), Recollection::withLooked);
        }
        return Outcome.progress();
    }

    public Outcome save(SidecarAccessStep.Save step) {
        IssuedCredentials kept =
                new IssuedCredentials(SecretData.of(step.secret()), Marks.annotation(step.secret(), CosiNames.ROTATED_AT));
        memory.change(step.key(), old -> old.withCredentials(kept));
        return Outcome.progress();
    }

    public Outcome delete(SidecarAccessStep.DeleteSecret step) {
        writer.delete(step.secret());
        return Outcome.progress();
    }

    public Outcome letGo(SidecarAccessStep.LetGoOfSecret step) {
        List<String> finalizers = new ArrayList<>(Marks.finalizers(step.secret()));
        if (!finalizers.remove(CosiNames.PROVISIONER_FINALIZER)) {
            // Somebody else's finalizer holds it; its end is an event.
            return Outcome.finish(Result.requiresChange(
                    "Secret " + step.secret().getMetadata().getName() + " is held by the finalizers " + finalizers));
        }
        writer.merge(step.secret(), Map.of("metadata", Map.of("finalizers", finalizers)));
        memory.change(step.key(), Recollection::withLooked);
        return Outcome.progress();
    }

    private void create(SidecarAccessStep.PutSecret step) {
        try {
            writer.create(secret(step));
            delivered(step);
        } catch (ApiException e) {
            if (!(e.error() instanceof ApiError.AlreadyExists)) {
                throw e;
            }
            taken(step);
        }
    }

    /** The name is in use: by ours that lost its label, or by somebody else's. */
    private void taken(SidecarAccessStep.PutSecret step) {
        Optional<Secret> found = read(step.access());
        if (found.isEmpty()) {
            return;
        }
        if (isOf(found.get(), step.access())) {
            update(step, found.get());
            return;
        }
        memory.failed(
                step.key(),
                DriverMethod.GRANT_ACCESS,
                step.inputs(),
                Trouble.passing(
                        DriverMethod.GRANT_ACCESS,
                        ProvisionerReason.SECRET_IN_USE,
                        "A Secret " + provisioner.namespace() + "/"
                                + found.get().getMetadata().getName()
                                + " is there that was not made for this BucketAccess, and it is not overwritten."
                                + " Remove it, and this goes on by itself."));
    }

    private void update(SidecarAccessStep.PutSecret step, Secret known) {
        Map<String, @Nullable String> data = new HashMap<>();
        // Keys that the driver does not give any more go: a merge would keep them.
        Optional.ofNullable(known.getData()).orElse(Map.of()).keySet().forEach(old -> data.put(old, null));
        data.putAll(SecretData.encoded(step.credentials().values()));
        writer.merge(
                known,
                Map.of(
                        "metadata",
                        Map.of("labels", labels(step.access()), "annotations", annotations(step)),
                        "data",
                        data));
        delivered(step);
    }

    private void delivered(SidecarAccessStep.PutSecret step) {
        memory.change(step.key(), Recollection::delivered);
        String rotatedAt = step.credentials().rotatedAt();
        boolean rotated = step.known().isPresent() && !rotatedAt.isEmpty();
        events.normal(
                step.access(),
                rotated ? "AccessRotated" : "AccessGranted",
                "GrantBucketAccess",
                rotated ? "New credentials were made, as asked for " + rotatedAt + "." : "Access was granted.");
    }

    private Secret secret(SidecarAccessStep.PutSecret step) {
        return new SecretBuilder()
                .withNewMetadata()
                .withNamespace(provisioner.namespace())
                .withName(name(step.access()))
                .withLabels(labels(step.access()))
                .withAnnotations(annotations(step))
                .withFinalizers(CosiNames.PROVISIONER_FINALIZER)
                .endMetadata()
                .withType("Opaque")
                .withData(SecretData.encoded(step.credentials().values()))
                .build();
    }

    private Map<String, String> labels(BucketAccess access) {
        return Map.of(
                CosiNames.PROVISIONER_LABEL,
                provisioner.label(),
                CosiNames.BUCKET_ACCESS_UID,
                access.getMetadata().getUid());
    }

    private static Map<String, String> annotations(SidecarAccessStep.PutSecret step) {
        Map<String, String> annotations = new HashMap<>();
        annotations.put(CosiNames.BUCKET_ACCESS_UID, step.access().getMetadata().getUid());
        if (!step.credentials().rotatedAt().isEmpty()) {
            annotations.put(CosiNames.ROTATED_AT, step.credentials().rotatedAt());
        }
        return annotations;
    }

    private static boolean isOf(Secret secret, BucketAccess access) {
        return Marks.annotation(secret, CosiNames.BUCKET_ACCESS_UID)
                .equals(access.getMetadata().getUid());
    }

    private static boolean isTold(ApiError error) {
        return error instanceof ApiError.Forbidden
                || error instanceof ApiError.Invalid
                || error instanceof ApiError.NotFound
                || error instanceof ApiError.Terminating;
    }

    private Optional<Secret> read(BucketAccess access) {
        try {
            return Optional.ofNullable(reader.secrets()
                    .inNamespace(provisioner.namespace())
                    .withName(name(access))
                    .get());
        } catch (KubernetesClientException e) {
            throw new ApiException(
                    new ApiError.Unavailable("Reading Secret " + provisioner.namespace() + "/" + name(access)
                            + " was answered with " + e.getCode()),
                    e);
        }
    }

    private static String name(BucketAccess access) {
        return CosiNames.accountOf(access.getMetadata().getUid());
    }
}
