package io.bucketwright.cosi.controller;

import io.bucketwright.api.cosi.Bucket;
import io.bucketwright.api.cosi.BucketAccess;
import io.bucketwright.api.cosi.CosiNames;
import io.bucketwright.api.cosi.Provisioner;
import io.bucketwright.api.cosi.ReleasePolicy;
import io.bucketwright.api.cosi.status.BucketPhase;
import io.bucketwright.runtime.objects.Metadata;
import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.api.model.Secret;
import io.fabric8.kubernetes.api.model.SecretBuilder;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientException;
import io.fabric8.kubernetes.client.dsl.base.PatchContext;
import io.fabric8.kubernetes.client.dsl.base.PatchType;
import io.fabric8.kubernetes.client.informers.ResourceEventHandler;
import io.fabric8.kubernetes.client.informers.SharedIndexInformer;
import io.fabric8.kubernetes.client.utils.Serialization;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;

/** A sidecar with a store in memory. */
final class FakeSidecar implements AutoCloseable {

    final Set<String> buckets = ConcurrentHashMap.newKeySet();
    final Map<String, String> accounts = new ConcurrentHashMap<>();
    final List<String> calls = new CopyOnWriteArrayList<>();
    volatile String bucketTrouble = "";
    volatile String accessTrouble = "";

    private final KubernetesClient client;
    private final Provisioner provisioner;
    private final SharedIndexInformer<Bucket> bucketCache;
    private final SharedIndexInformer<BucketAccess> accessCache;
    private final ScheduledExecutorService worker = Executors.newSingleThreadScheduledExecutor();
    private final AtomicInteger keys = new AtomicInteger();

    FakeSidecar(KubernetesClient client, Provisioner provisioner) {
        this.client = client;
        this.provisioner = provisioner;
        bucketCache = client.resources(Bucket.class)
                .withLabel(CosiNames.PROVISIONER_LABEL, provisioner.label())
                .inform(new Wake<>());
        accessCache = client.resources(BucketAccess.class)
                .withLabel(CosiNames.PROVISIONER_LABEL, provisioner.label())
                .inform(new Wake<>());
        wake();
    }

    /** Looks at everything again, as after a change of the troubles. */
    void wake() {
        worker.execute(this::work);
    }

    @Override
    public void close() {
        worker.shutdownNow();
        bucketCache.close();
        accessCache.close();
    }

    private void work() {
        boolean again = false;
        for (Bucket bucket : bucketCache.getStore().list()) {
            again |= !tried(() -> bucket(bucket));
        }
        for (BucketAccess access : accessCache.getStore().list()) {
            again |= !tried(() -> access(access));
        }
        if (again && !worker.isShutdown()) {
            var _ = worker.schedule(this::work, 50, TimeUnit.MILLISECONDS);
        }
    }

    private static boolean tried(Runnable work) {
        try {
            work.run();
            return true;
        } catch (KubernetesClientException e) {
            return e.getCode() == 404;
        }
    }

    private void bucket(Bucket bucket) {
        if (!bucket.getSpec().provisioner().equals(provisioner.toString())) {
            return;
        }
        String name = bucket.getSpec().protocol().bucketName();
        boolean leaving = bucket.getMetadata().getDeletionTimestamp() != null;
        boolean bound = !bucket.getSpec().bindings().isEmpty();
        if (!leaving && !bucketTrouble.isEmpty() && !bucket.provisioned()) {
            status(bucket, bucket.phase().text(), bucketTrouble);
        } else if (!leaving && !bucket.provisioned()) {
            if (buckets.add(name)) {
                calls.add("create");
            }
            patch(
                    bucket,
                    "[" + test(bucket) + ", {\"op\": \"add\", \"path\": \"/spec/protocol/s3/endpoint\","
                            + " \"value\": \"http://store.test\"}]");
        } else if (leaving && !bound && bucket.phase() != BucketPhase.DELETED) {
            if (!bucketTrouble.isEmpty()) {
                status(bucket, "Deleting", bucketTrouble);
                return;
            }
            if (bucket.getSpec().onRelease() == ReleasePolicy.DELETE && buckets.remove(name)) {
                calls.add("delete");
            }
            status(bucket, "Deleted", "");
        } else if (!leaving && bound && bucket.phase() != BucketPhase.BOUND) {
            status(bucket, "Bound", "");
        } else if (!leaving
                && !bound
                && bucket.phase() == BucketPhase.BOUND
                && bucket.getSpec().onRelease() == ReleasePolicy.RETAIN) {
            status(bucket, "Released", "");
        }
    }

    private void access(BucketAccess access) {
        if (!access.getSpec().provisioner().equals(provisioner.toString())
                || !access.getMetadata().getFinalizers().contains(CosiNames.PROVISIONER_FINALIZER)) {
            return;
        }
        String account = access.account();
        String reported = annotation(access, CosiNames.PROVISIONER_REPORT);
        if (!accessTrouble.isEmpty()) {
            if (!reported.equals(accessTrouble)) {
                annotate(access, CosiNames.PROVISIONER_REPORT, Serialization.asJson(accessTrouble));
            }
            return;
        }
        Secret secret = client.secrets()
                .inNamespace(provisioner.namespace())
                .withName(account)
                .get();
        if (access.getMetadata().getDeletionTimestamp() != null) {
            if (accounts.remove(account) != null) {
                calls.add("revoke");
            }
            if (secret != null) {
                client.resource(secret).delete();
                patch(secret, "[" + test(secret) + ", {\"op\": \"remove\", \"path\": \"/metadata/finalizers\"}]");
            }
            List<String> left = new ArrayList<>(access.getMetadata().getFinalizers());
            left.remove(CosiNames.PROVISIONER_FINALIZER);
            patch(
                    access,
                    "[" + test(access) + ", {\"op\": \"add\", \"path\": \"/metadata/finalizers\", \"value\": "
                            + Serialization.asJson(left) + "}]");
            return;
        }
        String rotateAt = annotation(access, CosiNames.ROTATE_AT);
        if (secret == null) {
            calls.add("grant");
            client.resource(secret(access, account, rotateAt)).create();
        } else if (!rotateAt.isEmpty() && !rotateAt.equals(annotation(secret, CosiNames.ROTATED_AT))) {
            calls.add("rotate");
            Secret renewed = secret(access, account, rotateAt);
            client.resource(secret).edit(it -> {
                it.setData(renewed.getData());
                it.getMetadata().setAnnotations(renewed.getMetadata().getAnnotations());
                return it;
            });
        }
        if (!reported.isEmpty()) {
            annotate(access, CosiNames.PROVISIONER_REPORT, "null");
        }
    }

    private Secret secret(BucketAccess access, String account, String rotateAt) {
        String uid = access.getMetadata().getUid();
        String key = "key-" + keys.incrementAndGet();
        accounts.put(account, key);
        SecretBuilder secret = new SecretBuilder()
                .withNewMetadata()
                .withNamespace(provisioner.namespace())
                .withName(account)
                .addToLabels(CosiNames.BUCKET_ACCESS_UID, uid)
                .addToLabels(CosiNames.PROVISIONER_LABEL, provisioner.label())
                .addToAnnotations(CosiNames.BUCKET_ACCESS_UID, uid)
                .withFinalizers(CosiNames.PROVISIONER_FINALIZER)
                .endMetadata()
                .addToData("SECRET_KEY", Base64.getEncoder().encodeToString(key.getBytes(StandardCharsets.UTF_8)));
        if (!rotateAt.isEmpty()) {
            secret.editMetadata()
                    .addToAnnotations(CosiNames.ROTATED_AT, rotateAt)
                    .endMetadata();
        }
        return secret.build();
    }

    private void status(Bucket bucket, String phase, String message) {
        if (bucket.status().phase().equals(phase) && bucket.status().message().equals(message)) {
            return;
        }
        client.resource(bucket)
                .subresource("status")
                .patch(
                        PatchContext.of(PatchType.JSON_MERGE),
                        "{\"metadata\": {\"resourceVersion\": \""
                                + bucket.getMetadata().getResourceVersion() + "\"}, \"status\": {\"phase\": \"" + phase
                                + "\", \"message\": \"" + message + "\"}}");
    }

    private void annotate(BucketAccess access, String key, String json) {
        client.resource(access)
                .patch(
                        PatchContext.of(PatchType.JSON_MERGE),
                        "{\"metadata\": {\"annotations\": {\"" + key + "\": " + json + "}}}");
    }

    private void patch(HasMetadata object, String operations) {
        client.resource(object).patch(PatchContext.of(PatchType.JSON), operations);
    }

    private static String test(HasMetadata object) {
        return "{\"op\": \"test\", \"path\": \"/metadata/uid\", \"value\": \""
                + object.getMetadata().getUid() + "\"}";
    }

    private static String annotation(HasMetadata object, String key) {
        return Metadata.annotation(object, key);
    }

    private final class Wake<T> implements ResourceEventHandler<T> {
        @Override
        public void onAdd(T object) {
            poke();
        }

        @Override
        public void onUpdate(T before, T after) {
            poke();
        }

        @Override
        public void onDelete(T object, boolean finalStateUnknown) {
            poke();
        }

        private void poke() {
            if (!worker.isShutdown()) {
                wake();
            }
        }
    }
}
