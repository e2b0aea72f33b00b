package io.bucketwright.volumes.directories.claims;

import io.bucketwright.runtime.ObjectKey;
import io.bucketwright.runtime.client.ApiError;
import io.bucketwright.runtime.client.ApiException;
import io.bucketwright.runtime.client.ApiWriter;
import io.bucketwright.runtime.controller.Outcome;
import io.bucketwright.runtime.controller.Result;
import io.bucketwright.runtime.engine.ControllerContext;
import io.bucketwright.volumes.directories.classes.DirectoryClass.QuotaWish;
import io.bucketwright.volumes.directories.files.AssetName;
import io.bucketwright.volumes.directories.files.DirectoryTree.Standing;
import io.bucketwright.volumes.directories.files.FileProblem;
import io.bucketwright.volumes.directories.files.Marker;
import io.bucketwright.volumes.directories.roots.Leaving;
import io.bucketwright.volumes.directories.roots.Root;
import io.bucketwright.volumes.directories.roots.Roots;
import io.bucketwright.volumes.directories.roots.Roots.Holding;
import io.bucketwright.volumes.directories.setup.DirectoryMetrics;
import io.bucketwright.volumes.directories.setup.PersistentVolumes;
import io.fabric8.kubernetes.api.model.PersistentVolumeClaim;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.function.Consumer;
import java.util.function.Supplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Takes the steps. */
final class ClaimActs {

    private static final Logger log = LoggerFactory.getLogger(ClaimActs.class);

    private interface OnDisk {
        Outcome in(Root root) throws IOException;
    }

    private final ControllerContext parts;
    private final Roots roots;
    private final Memory memory;
    private final DirectoryMetrics metrics;
    private final ApiWriter writer;
    private final Leaving leaving;
    private final Supplier<String> hostname;
    private final Consumer<ObjectKey> wake;

    ClaimActs(
            ControllerContext parts,
            Roots roots,
            Memory memory,
            DirectoryMetrics metrics,
            Supplier<String> hostname,
            Consumer<ObjectKey> wake) {
        this.parts = parts;
        this.roots = roots;
        this.memory = memory;
        this.metrics = metrics;
        this.writer = parts.connection().writer(parts.leadership(), parts.caches());
        this.leaving = new Leaving(parts.leadership());
        this.hostname = hostname;
        this.wake = wake;
    }

    Outcome act(Step step) throws InterruptedException {
        return switch (step) {
            case Step.Tell tell -> tell(tell);
            case Step.AwaitRoot(ObjectKey key, Path root) ->
                roots.at(root).await(key, () -> wake.accept(key)) ? Outcome.progress() : Outcome.finish(Result.done());
            case Step.RecordIntent(ObjectKey key, Plan plan) -> onDisk(key, plan, root -> record(key, plan, root));
            case Step.ChangeIntent(ObjectKey key, Plan plan, Marker before) ->
                onDisk(key, plan, root -> {
                    root.replace(before, plan.marker());
                    return Outcome.progress();
                });
            case Step.Make(ObjectKey key, Plan plan) ->
                onDisk(key, plan, root -> {
                    root.alone(plan.marker().name(), tree -> {
                        tree.make(plan.marker());
                        return true;
                    });
                    memory.made(key, plan.marker(), parts.time().nanos());
                    return Outcome.progress();
                });
            case Step.Own(ObjectKey key, Plan plan) ->
                onDisk(key, plan, root -> {
                    Marker marker = plan.marker();
                    root.alone(marker.name(), tree -> {
                        tree.own(marker);
                        return true;
                    });
                    memory.owned(key, marker, parts.time().nanos());
                    return Outcome.progress();
                });
            case Step.LimitSize(ObjectKey key, Plan plan) -> onDisk(key, plan, root -> limit(key, plan, root));
            case Step.Publish publish -> publish(publish);
            case Step.Withdraw(ObjectKey key, Holding holding) ->
                withoutClaim(key, holding, root -> withdraw(root, holding));
            case Step.FinishLeaving(ObjectKey key, Holding holding) ->
                roots.at(holding.root())
                        .actLong(
                                key,
                                () -> wake.accept(key),
                                () -> guarded(holding, root -> {
                                    Outcome outcome = leaving.goOn(root, holding.marker());
                                    if (outcome instanceof Outcome.Progress) {
                                        root.removeMarker(holding.marker());
                                    }
                                    return outcome;
                                }));
        };
    }

    private Outcome tell(Step.Tell tell) {
        parts.events().warning(tell.claim(), "ProvisioningFailed", "Provision", tell.message());
        metrics.provisioningFailed(tell.storageClass());
        memory.told(tell.key(), tell.message(), parts.time().nanos());
        return Outcome.finish(tell.then());
    }

    private Outcome record(ObjectKey key, Plan plan, Root root) throws IOException {
        memory.began(key, parts.time().nanos());
        AssetName name = plan.marker().name();
        if (root.tree().standing(name) != Standing.NOTHING) {
            if (root.learn(name)) {
                return Outcome.progress();
            }
            throw new IOException("There is something called " + name + " below the root already, and no marker says"
                    + " whose it is, so it is not handed out. Look at it, and move or remove it");
        }
        root.record(plan.marker(), plan.directoryClass().rootBudget());
        // Whether it worked or something stands in its place, the next look shows it.
        return Outcome.progress();
    }

    private Outcome limit(ObjectKey key, Plan plan, Root root) throws IOException {
        boolean enforced = false;
        try {
            enforced = root.alone(plan.marker().name(), tree -> tree.limit(plan.marker()));
        } catch (FileProblem e) {
            if (plan.directoryClass().quota() == QuotaWish.REQUIRE) {
                throw e;
            }
            log.warn("The size of {} is not enforced. {}", plan.marker().name(), e.getMessage());
        }
        memory.limited(key, plan.marker(), enforced, parts.time().nanos());
        return Outcome.progress();
    }

    private Outcome publish(Step.Publish publish) {
        Plan plan = publish.plan();
        try {
            writer.create(PersistentVolumes.of(
                    plan.marker(), plan.directoryClass(), plan.claim(), plan.deletes(), hostname.get()));
        } catch (ApiException e) {
            metrics.provisioningFailed(plan.directoryClass().name());
            if (!(e.error() instanceof ApiError.AlreadyExists)) {
                parts.events()
                        .warning(
                                plan.claim(),
                                "ProvisioningFailed",
                                "Provision",
                                "Making the volume: " + e.getMessage());
            }
            throw e;
        }
        parts.events()
                .normal(
                        plan.claim(),
                        "ProvisioningSucceeded",
                        "Provision",
                        "Successfully provisioned volume " + plan.marker().name());
        long since = memory.of(publish.key(), parts.time().nanos()).since();
        metrics.provisioned(
                plan.directoryClass().name(), Duration.ofNanos(parts.time().nanos() - since));
        memory.forget(publish.key());
        return Outcome.progress();
    }

    private static Outcome withdraw(Root root, Holding holding) throws IOException {
        AssetName name = holding.marker().name();
        Standing standing = root.tree().standing(name);
        if (standing == Standing.SOMETHING_ELSE || !root.alone(name, tree -> tree.removeIfEmpty(holding.marker()))) {
            log.warn(
                    "Directory {} below {} has neither claim nor volume, but something is in it; it stays. Its claim was {}",
                    name,
                    root.path(),
                    holding.marker().claim());
            return Outcome.finish(Result.done());
        }
        root.removeMarker(holding.marker());
        return Outcome.progress();
    }

    private Outcome onDisk(ObjectKey key, Plan plan, OnDisk work) throws InterruptedException {
        Root root = roots.at(plan.directoryClass().root());
        return root.act(key, () -> wake.accept(key), () -> {
            try {
                parts.leadership().require();
                return work.in(root);
            } catch (IOException e) {
                roots.failed(root, e);
                return failed(key, plan.claim(), plan.directoryClass().name(), e);
            }
        });
    }

    private Outcome failed(ObjectKey key, PersistentVolumeClaim claim, String storageClass, IOException e) {
        String message = "No directory could be made. " + e.getMessage() + ".";
        parts.events().warning(claim, "ProvisioningFailed", "Provision", message);
        metrics.provisioningFailed(storageClass);
        memory.told(key, message, parts.time().nanos());
        return Outcome.finish(Result.retry(message));
    }

    private Outcome withoutClaim(ObjectKey key, Holding holding, OnDisk work) throws InterruptedException {
        return roots.at(holding.root()).act(key, () -> wake.accept(key), () -> guarded(holding, work));
    }

    private Outcome guarded(Holding holding, OnDisk work) {
        Root root = roots.at(holding.root());
        try {
            parts.leadership().require();
            return work.in(root);
        } catch (IOException e) {
            roots.failed(root, e);
            return Outcome.finish(Result.retry(
                    "Directory " + holding.marker().name() + " could not be taken back. " + e.getMessage()));
        }
    }
}
