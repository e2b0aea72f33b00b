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

/** Creates the controller. */
public final class ReleaserController {

    /** The reporting controller of events, the same as that of reclaimable-pv-releaser. */
    public static final String REPORTER = "reclaimable-pv-releaser";

    private static final String NAME = "releaser";

    private ReleaserController() {}

    /** Creates the controller. Must be called before the caches start. */
    public static Controller<?> of(ControllerContext context, ReleaserSettings settings) {
        ReleaserCaches caches = new ReleaserCaches(context.caches(), settings);
        Map<ObjectKey, ReleaseProblem> reported = new ConcurrentHashMap<>();
        ApiWriter writer = context.connection().writer(context.leadership(), context.caches());
        ReleaseLoop loop = new ReleaseLoop(
                caches,
                new ReleaseDecision(settings),
                new ReleaseActs(settings, writer, context.events(), reported),
                reported);
        WorkQueue<ObjectKey> queue =
                new WorkQueue<>(NAME, context.time(), Backoff.standard(), new SecureRandom(), context.meters());
        return caches.feed(new Controller<>(
                NAME,
                forgettingReported(new LoopReconciler<>(loop, context.leadership()), reported),
                queue,
                context.leadership(),
                settings.workers(),
                context.meters()));
    }

    /** Forgets the reported problem of a volume that needs no more work. */
    private static Reconciler<ObjectKey> forgettingReported(
            Reconciler<ObjectKey> reconciler, Map<ObjectKey, ReleaseProblem> reported) {
        return key -> {
            Result result = reconciler.reconcile(key);
            if (result instanceof Result.Done) {
                reported.remove(key);
            }
            return result;
        };
    }
}
