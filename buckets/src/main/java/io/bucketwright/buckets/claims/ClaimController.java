package io.bucketwright.buckets.claims;

import io.bucketwright.api.ObjectBucketClaim;
import io.bucketwright.buckets.stores.StoreSource;
import io.bucketwright.runtime.ObjectKey;
import io.bucketwright.runtime.cache.CacheListener;
import io.bucketwright.runtime.client.ApiWriter;
import io.bucketwright.runtime.controller.Controller;
import io.bucketwright.runtime.controller.LoopReconciler;
import io.bucketwright.runtime.controller.Reconciler;
import io.bucketwright.runtime.controller.Result;
import io.bucketwright.runtime.engine.ControllerContext;
import io.bucketwright.runtime.queue.Backoff;
import io.bucketwright.runtime.queue.WorkQueue;
import io.fabric8.kubernetes.api.model.storage.StorageClass;
import java.security.SecureRandom;
import java.util.function.Function;

/** Puts the controller together from the parts of its role. */
public final class ClaimController {

    private ClaimController() {}

    /** The controller, ready to be given to an engine; call it before the caches start. */
    public static Controller<ObjectKey> of(ControllerContext parts, Settings settings, StoreSource stores, Tuning tuning) {
        Recollections memory = new Recollections();
        ClaimCaches caches = new ClaimCaches(parts.caches(), settings);
        ClassLookup classes = new ClassLookup(caches.classes, settings.provisioner(), stores);
        Backoff backoff = Backoff.standard();
        SecureRandom random = new SecureRandom();
        Failures failures = new Failures(memory, parts.time(), backoff, random);
        ApiWriter writer = parts.connection().writer(parts.leadership(), parts.caches());
        ClaimLoop loop = new ClaimLoop(
                new ClaimObserver(caches, classes, memory, parts.time()),
                new ClaimDecision(settings, tuning.orphansByPolicy()),
                new ClusterActs(writer, parts.events(), memory),
                new ChildActs(settings, caches, writer, parts.connection().reader(), memory, failures),
                new StoreActs(settings, stores, memory, failures, tuning.storeCall(), tuning.storeCalls()));
        WorkQueue<ObjectKey> queue = new WorkQueue<>("claims", parts.time(), backoff, random, parts.meters());
        caches.claims.listen(new Interrupting(memory));
        caches.classes.listen(new Forgetting(classes));
        return new Controller<>(
                        "claims",
                        forgetful(new LoopReconciler<>(loop, parts.leadership()), memory),
                        queue,
                        parts.leadership(),
                        tuning.workers(),
                        parts.meters())
                .watch(caches.claims, Function.identity())
                .watchRelated(caches.buckets, caches::keysOf)
                .watchRelated(caches.secrets, caches::keysOfChild)
                .watchRelated(caches.configMaps, caches::keysOfChild)
                .watchRelated(caches.classes, caches::keysOf);
    }

    /** What is at rest needs no memory. */
    private static Reconciler<ObjectKey> forgetful(Reconciler<ObjectKey> reconciler, Recollections memory) {
        return key -> {
            Result result = reconciler.reconcile(key);
            if (result instanceof Result.Done) {
                memory.forget(key);
            }
            return result;
        };
    }

    /** A deletion does not wait for the provisioning that it makes pointless. */
    private record Interrupting(Recollections memory) implements CacheListener<ObjectBucketClaim> {
        @Override
        public void changed(ObjectBucketClaim before, ObjectBucketClaim after) {
            boolean leaves = after.getMetadata().getDeletionTimestamp() != null
                    && before.getMetadata().getDeletionTimestamp() == null;
            if (leaves) {
                memory.interrupt(ObjectKey.of(after));
            }
        }

        @Override
        public void deleted(ObjectBucketClaim last) {
            memory.interrupt(ObjectKey.of(last));
        }
    }

    private record Forgetting(ClassLookup classes) implements CacheListener<StorageClass> {
        @Override
        public void changed(StorageClass before, StorageClass after) {
            // Nothing that we read of a class can change.
        }

        @Override
        public void deleted(StorageClass last) {
            classes.forget(last);
        }
    }
}
