package io.bucketwright.cosi.sidecar;

import io.bucketwright.cosi.sidecar.driver.SidecarCaches;

import io.bucketwright.cosi.sidecar.driver.Memory;

import io.bucketwright.cosi.sidecar.driver.ProvisionerSecrets;

import io.bucketwright.cosi.sidecar.driver.DriverRequests;

import io.bucketwright.cosi.sidecar.driver.DriverConnection;

import io.bucketwright.cosi.sidecar.driver.DriverCalls;

import io.bucketwright.cosi.sidecar.accesses.AccessSecretActs;

import io.bucketwright.cosi.sidecar.accesses.SidecarAccessLoop;

import io.bucketwright.cosi.sidecar.accesses.SidecarAccessActs;

import io.bucketwright.cosi.sidecar.accesses.SidecarAccessDecision;

import io.bucketwright.cosi.sidecar.buckets.SidecarBucketLoop;

import io.bucketwright.cosi.sidecar.buckets.SidecarBucketActs;

import io.bucketwright.cosi.sidecar.buckets.SidecarBucketDecision;

import io.bucketwright.api.cosi.Bucket;
import io.bucketwright.api.cosi.Provisioner;
import io.bucketwright.runtime.ObjectKey;
import io.bucketwright.runtime.cache.ObjectCache;
import io.bucketwright.runtime.client.ApiWriter;
import io.bucketwright.runtime.controller.Controller;
import io.bucketwright.runtime.controller.DecisionLoop;
import io.bucketwright.runtime.controller.LoopReconciler;
import io.bucketwright.runtime.controller.Reconciler;
import io.bucketwright.runtime.controller.Result;
import io.bucketwright.runtime.engine.ControllerContext;
import io.bucketwright.runtime.queue.Backoff;
import io.bucketwright.runtime.queue.WorkQueue;
import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.api.model.Secret;
import java.security.SecureRandom;
import java.util.Collection;
import java.util.List;
import java.util.function.Function;
import java.util.function.Supplier;

/** Puts the two controllers together; call it before the caches start. */
final class SidecarControllers {

    private final ControllerContext parts;
    private final SidecarOptions options;
    private final SidecarCaches caches;
    private final ProvisionerSecrets secrets;
    private final DriverConnection link;
    private final DriverCalls calls;
    private final DriverRequests requests;
    private final ApiWriter writer;
    private final SecureRandom random = new SecureRandom();
    private final Provisioner provisioner;

    SidecarControllers(
            ControllerContext parts,
            Provisioner provisioner,
            SidecarOptions options,
            DriverConnection link,
            DriverCalls calls,
            Supplier<String> cluster) {
        this.parts = parts;
        this.provisioner = provisioner;
        this.options = options;
        this.link = link;
        this.calls = calls;
        this.caches = new SidecarCaches(parts.caches(), provisioner);
        this.secrets = new ProvisionerSecrets(parts.caches(), provisioner, options.secretNamespaces());
        this.requests = new DriverRequests(cluster);
        this.writer = parts.connection().writer(parts.leadership(), parts.caches());
    }

    List<Controller<ObjectKey>> all() {
        return List.of(buckets(), accesses());
    }

    private Controller<ObjectKey> buckets() {
        Memory memory = memory();
        SidecarBucketLoop loop = new SidecarBucketLoop(
                caches,
                secrets,
                link,
                memory,
                parts.time(),
                new SidecarBucketDecision(),
                new SidecarBucketActs(calls, requests, writer, parts.events(), memory, parts.time()));
        WorkQueue<ObjectKey> queue = queue("cosi-buckets");
        Controller<ObjectKey> controller = controller("cosi-buckets", loop, memory, queue)
                .watch(caches.buckets, Function.identity())
                .watchRelated(caches.accesses, caches::bucketKeyOf);
        secrets.sources().forEach(source -> controller.watchRelated(source, this::bucketsWith));
        link.onChange(() -> wake(caches.buckets, queue));
        return controller;
    }

    private Controller<ObjectKey> accesses() {
        Memory memory = memory();
        SidecarAccessLoop loop = new SidecarAccessLoop(
                caches,
                secrets,
                link,
                memory,
                parts.time(),
                new SidecarAccessDecision(),
                new SidecarAccessActs(calls, requests, writer, parts.events(), memory),
                new AccessSecretActs(provisioner, writer, parts.connection().reader(), parts.events(), memory));
        WorkQueue<ObjectKey> queue = queue("cosi-accesses");
        Controller<ObjectKey> controller = controller("cosi-accesses", loop, memory, queue)
                .watch(caches.accesses, Function.identity())
                .watchRelated(caches.buckets, caches::accessKeysOf)
                .watchRelated(caches.secrets, caches::accessKeysOf);
        secrets.sources()
                .forEach(source -> controller.watchRelated(
                        source,
                        secret -> bucketsOf(secret).stream()
                                .flatMap(bucket -> caches.accessKeysOf(bucket).stream())
                                .toList()));
        link.onChange(() -> wake(caches.accesses, queue));
        return controller;
    }

    private Collection<ObjectKey> bucketsWith(Secret secret) {
        return bucketsOf(secret).stream().map(ObjectKey::of).toList();
    }

    private List<Bucket> bucketsOf(Secret secret) {
        return caches.buckets.list().stream()
                .filter(bucket -> secrets.isOf(secret, bucket))
                .toList();
    }

    private static <T extends HasMetadata> void wake(ObjectCache<T> objects, WorkQueue<ObjectKey> queue) {
        objects.list().forEach(object -> queue.add(ObjectKey.of(object)));
    }

    private Memory memory() {
        return new Memory(parts.time(), Backoff.standard(), random);
    }

    private WorkQueue<ObjectKey> queue(String name) {
        return new WorkQueue<>(name, parts.time(), Backoff.standard(), random, parts.meters());
    }

    private <O, S> Controller<ObjectKey> controller(
            String name, DecisionLoop<ObjectKey, O, S> loop, Memory memory, WorkQueue<ObjectKey> queue) {
        Reconciler<ObjectKey> reconciler = new LoopReconciler<>(loop, parts.leadership());
        return new Controller<>(
                name,
                key -> forgetful(reconciler, memory, key),
                queue,
                parts.leadership(),
                options.workers(),
                parts.meters());
    }

    /** What is at rest needs no memory. */
    private static Result forgetful(Reconciler<ObjectKey> reconciler, Memory memory, ObjectKey key)
            throws InterruptedException {
        Result result = reconciler.reconcile(key);
        if (result instanceof Result.Done) {
            memory.forget(key);
        }
        return result;
    }
}
