package io.bucketwright.volumes.releaser;

import io.bucketwright.runtime.ObjectKey;
import io.bucketwright.runtime.client.ApiWriter;
import io.bucketwright.runtime.controller.Controller;
import io.bucketwright.runtime.controller.LoopReconciler;
import io.bucketwright.runtime.controller.Reconciler;
import io.bucketwright.runtime.controller.Result;
import io.bucketwright.runtime.engine.ControllerContext;
import io.bucketwright.runtime.queue.Backoff;
import io.bucketwright.runtime.queue.WorkQueue;
import java.security.SecureRandom;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

/** Puts the controller together from the parts of a process. */
public final class ReleaserController {

    /** Whom events name as their source, as ever. */
    public static final String REPORTER = "reclaimable-pv-releaser";

    private static final String NAME = "releaser";

    private ReleaserController() {}

    /** The controller, ready to be given to an engine; call it before the caches start. */
    public static Controller<?> of(ControllerContext parts, Settings settings) {
        ReleaserCaches caches = new ReleaserCaches(parts.caches(), settings);
        Map<ObjectKey, Trouble> told = new ConcurrentHashMap<>();
        ApiWriter writer = parts.connection().writer(parts.leadership(), parts.caches());
        ReleaserLoop loop = new ReleaserLoop(
                caches, new ReleaseDecision(settings), new ReleaseActs(settings, writer, parts.events(), told), told);
        WorkQueue<ObjectKey> queue =
                new WorkQueue<>(NAME, parts.time(), Backoff.standard(), new SecureRandom(), parts.meters());
        return caches.feed(new Controller<>(
                NAME,
                forgetful(new LoopReconciler<>(loop, parts.leadership()), told),
                queue,
                parts.leadership(),
                settings.workers(),
                parts.meters()));
    }

    /** What is at rest needs no memory. */
    private static Reconciler<ObjectKey> forgetful(Reconciler<ObjectKey> reconciler, Map<ObjectKey, Trouble> told) {
        return key -> {
            Result result = reconciler.reconcile(key);
            if (result instanceof Result.Done) {
                told.remove(key);
            }
            return result;
        };
    }
}
