package io.bucketwright.volumes.directories.metrics;

import io.bucketwright.runtime.controller.Controller;
import io.bucketwright.runtime.controller.Outcome;
import io.bucketwright.runtime.controller.Reconciler;
import io.bucketwright.runtime.controller.Result;
import io.bucketwright.runtime.engine.ControllerContext;
import io.bucketwright.volumes.directories.files.DirectoryTree.Space;
import io.bucketwright.volumes.directories.roots.RequeueTarget;
import io.bucketwright.volumes.directories.roots.Root;
import io.bucketwright.volumes.directories.roots.Roots;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.ToDoubleFunction;

/** Measures the file systems of roots, as soon as a root is open and then periodically. */
record RootUsage(Roots roots, Duration interval, RequeueTarget<Path> requeue, Map<Path, Space> spaces)
        implements Reconciler<Path> {

    static void register(ControllerContext context, Roots roots, Duration interval) {
        RootUsage usage = new RootUsage(roots, interval, new RequeueTarget<>(), new ConcurrentHashMap<>());
        Controller<Path> controller = usage.requeue.connect(context.controller("directory-root-usage", usage));
        context.leadership().onGained(() -> roots.all().forEach(root -> controller.add(root.path())));
        roots.all().forEach(root -> usage.registerGauges(root, context.meters()));
    }

    @Override
    public Result reconcile(Path path) throws InterruptedException {
        Root root = roots.at(path);
        if (!root.awaitOpen(requeue.caller(path))) {
            return Result.done();
        }
        Outcome outcome = root.runLong(
                requeue.caller(path),
                directories -> {
                    spaces.put(path, directories.space());
                    return Outcome.finish(Result.requeueAfter(interval));
                },
                e -> Outcome.finish(Result.retry("The root could not be measured. " + e.getMessage())));
        return outcome instanceof Outcome.Finish(Result result) ? result : Result.requeueAfter(interval);
    }

    private void registerGauges(Root root, MeterRegistry meters) {
        bytes(
                meters,
                root,
                "bucketwright.root.free",
                "Free space of the root's file system",
                _ -> space(root).free());
        bytes(
                meters,
                root,
                "bucketwright.root.total",
                "Size of the root's file system",
                _ -> space(root).total());
        bytes(
                meters,
                root,
                "bucketwright.root.requested",
                "Sum of the sizes that claims in the root requested",
                _ -> root.markers().requestedBytes());
    }

    private Space space(Root root) {
        return spaces.getOrDefault(root.path(), new Space(0, 0));
    }

    private static void bytes(
            MeterRegistry meters, Root root, String name, String description, ToDoubleFunction<Root> value) {
        Gauge.builder(name, root, value)
                .baseUnit("bytes")
                .tag("root", root.path().toString())
                .description(description)
                .register(meters);
    }
}
