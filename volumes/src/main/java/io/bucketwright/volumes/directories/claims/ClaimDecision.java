package io.bucketwright.volumes.directories.claims;

import io.bucketwright.runtime.controller.Decision;
import io.bucketwright.runtime.controller.Result;
import io.bucketwright.volumes.directories.classes.Bytes;
import io.bucketwright.volumes.directories.classes.DirectoryClass;
import io.bucketwright.volumes.directories.classes.DirectoryClass.QuotaWish;
import io.bucketwright.volumes.directories.files.AssetName;
import io.bucketwright.volumes.directories.files.DirectoryTree;
import io.bucketwright.volumes.directories.files.DirectoryTree.Found;
import io.bucketwright.volumes.directories.files.Marker;
import io.bucketwright.volumes.directories.files.Marker.State;
import io.bucketwright.volumes.directories.files.RootIdentity;
import io.bucketwright.volumes.directories.roots.RootState;
import io.bucketwright.volumes.directories.roots.Roots.Holding;
import io.bucketwright.volumes.directories.setup.ClassView;
import io.bucketwright.volumes.directories.setup.Settings;
import io.bucketwright.volumes.directories.setup.Words;
import io.fabric8.kubernetes.api.model.PersistentVolume;
import io.fabric8.kubernetes.api.model.PersistentVolumeClaim;
import java.time.Duration;
import java.util.Optional;

/** What to do next about a claim. Pure. */
final class ClaimDecision {

    /** What helps against a refusal. */
    private enum Retry {
        /** Nothing but a change that we are told of. */
        UNTIL_CHANGE,
        /** Time: somebody may make room without our being told. */
        LATER
    }

    private final Settings settings;
    private final Planning planning;

    ClaimDecision(Settings settings) {
        this.settings = settings;
        this.planning = new Planning(settings);
    }

    Decision<Step> decide(Observed observed) {
        if (!settings.servesNamespace(observed.key().namespace())) {
            return Decision.done();
        }
        if (observed.claim().isEmpty()) {
            return takeBack(observed);
        }
        PersistentVolumeClaim claim = observed.claim().get();
        String bound = claim.getSpec().getVolumeName();
        if (bound != null && !bound.isEmpty()) {
            boolean another = observed.mine()
                    .filter(holding -> !holding.marker().name().text().equals(bound))
                    .isPresent();
            return another ? takeBack(observed) : Decision.done();
        }
        if (Words.isLeaving(claim) || !observed.volumes().isEmpty()) {
            return Decision.done();
        }
        return switch (observed.storageClass()) {
            case ClassView.NotOurs() -> Decision.done();
            case ClassView.Wrong(String provisioner, String why) ->
                isAskedOf(claim, provisioner)
                        ? tell(
                                observed,
                                claim,
                                "Class " + className(claim) + " cannot be used: " + why + ".",
                                Retry.UNTIL_CHANGE)
                        : Decision.done();
            case ClassView.Ours(DirectoryClass ours) ->
                isAskedOf(claim, ours.provisioner()) && isTimeFor(claim, ours)
                        ? provision(observed, claim, ours)
                        : Decision.done();
        };
    }

    /** Nothing may stay behind of a claim that got no volume, and nothing in which something is may go. */
    private Decision<Step> takeBack(Observed observed) {
        if (observed.mine().isEmpty() || !observed.volumes().isEmpty()) {
            return Decision.done();
        }
        Holding holding = observed.mine().get();
        Marker marker = holding.marker();
        boolean ours = marker.cluster().equals(settings.clusterId().get())
                && settings.servesClass(marker.storageClass(), marker.provisioner())
                && marker.node().equals(settings.node());
        if (!ours || marker.state() == State.RETAINED) {
            return Decision.done();
        }
        return Decision.act(
                marker.state() == State.LEAVING
                        ? new Step.FinishLeaving(observed.key(), holding)
                        : new Step.Withdraw(observed.key(), holding));
    }

    private Decision<Step> provision(Observed observed, PersistentVolumeClaim claim, DirectoryClass ours) {
        return switch (observed.root()) {
            case RootState.Unopened() -> Decision.act(new Step.AwaitRoot(observed.key(), ours.root()));
            case RootState.Closed(String why) -> {
                String message = "No directory can be made. " + why;
                yield observed.progress().told().equals(message)
                        ? Decision.act(new Step.AwaitRoot(observed.key(), ours.root()))
                        : Decision.act(new Step.Tell(
                                observed.key(), claim, ours.name(), message, Result.requeueAfter(Duration.ZERO)));
            }
            case RootState.Open(RootIdentity identity, DirectoryTree _) ->
                switch (planning.read(claim, ours, observed.namespaceUid(), identity.id())) {
                    case Wish.Refused(String message) -> tell(observed, claim, message, Retry.UNTIL_CHANGE);
                    case Wish.Granted(Plan plan) -> make(observed, plan);
                };
        };
    }

    private Decision<Step> make(Observed observed, Plan plan) {
        AssetName name = plan.marker().name();
        if (observed.namesake().isPresent()) {
            return tell(
                    observed,
                    plan.claim(),
                    aboutNamesake(name, observed.namesake().get()),
                    Retry.UNTIL_CHANGE);
        }
        if (observed.named().isEmpty()) {
            return withinBudget(observed, plan, new Step.RecordIntent(observed.key(), plan), 0);
        }
        return switch (observed.named().get()) {
            case Found.Unknown(AssetName _, String why) -> tell(observed, plan.claim(), why + ".", Retry.LATER);
            case Found.Known(Marker marker) -> {
                if (marker.claim().uid().equals(plan.marker().claim().uid())) {
                    yield build(observed, plan, marker);
                }
                if (plan.reuses() && mayBeReused(marker, plan)) {
                    yield withinBudget(
                            observed, plan, new Step.ChangeIntent(observed.key(), plan, marker), marker.bytes());
                }
                yield tell(observed, plan.claim(), aboutForeign(marker, plan), Retry.LATER);
            }
        };
    }

    private static Decision<Step> build(Observed observed, Plan plan, Marker marker) {
        if (!marker.equals(plan.marker())) {
            return withinBudget(observed, plan, new Step.ChangeIntent(observed.key(), plan, marker), 0);
        }
        if (!observed.progress().isMadeFor(marker)) {
            return Decision.act(new Step.Make(observed.key(), plan));
        }
        if (!observed.progress().isOwnedFor(marker)) {
            return Decision.act(new Step.Own(observed.key(), plan));
        }
        QuotaWish quota = plan.directoryClass().quota();
        if (quota != QuotaWish.OFF && !observed.progress().isLimitedFor(marker)) {
            return Decision.act(new Step.LimitSize(observed.key(), plan));
        }
        if (quota == QuotaWish.REQUIRE && !observed.progress().enforced()) {
            return tell(
                    observed,
                    plan.claim(),
                    "Class " + plan.directoryClass().name() + " requires that the file system enforces sizes, and the"
                            + " one below its root does not: mount it with project quota (prjquota), or change the class.",
                    Retry.UNTIL_CHANGE);
        }
        return Decision.act(new Step.Publish(observed.key(), plan));
    }

    /** What a predecessor left counts once, for whoever has it now. */
    private static Decision<Step> withinBudget(Observed observed, Plan plan, Step step, long takenOver) {
        long budget = plan.directoryClass().rootBudget();
        if (observed.promised() - takenOver > budget - plan.marker().bytes()) {
            return tell(
                    observed,
                    plan.claim(),
                    "The claim asks for " + Bytes.text(plan.marker().bytes()) + ", and of the "
                            + Bytes.text(budget) + " that class "
                            + plan.directoryClass().name()
                            + " may promise below its root " + Bytes.text(observed.promised())
                            + " are promised already. It is made when others go.",
                    Retry.LATER);
        }
        return Decision.act(step);
    }

    private static boolean mayBeReused(Marker marker, Plan plan) {
        return marker.state() == State.RETAINED
                && marker.cluster().equals(plan.marker().cluster())
                && marker.provisioner().equals(plan.marker().provisioner())
                && marker.root().equals(plan.marker().root())
                && marker.storageClass().equals(plan.marker().storageClass())
                && plan.marker().claim().isSuccessorOf(marker.claim());
    }

    private static String aboutForeign(Marker marker, Plan plan) {
        boolean sameName =
                plan.marker().claim().namespace().equals(marker.claim().namespace())
                        && plan.marker().claim().name().equals(marker.claim().name());
        if (!sameName) {
            return "The directory " + marker.name() + " belongs to a claim of another namespace or name: the names"
                    + " run together. Give this claim another name, or use a class with naming: uid.";
        }
        return marker.state() == State.RETAINED
                ? "The directory " + marker.name() + " holds what a former claim of this name left. Set annotation "
                        + Words.REUSE_EXISTING + ": \"true\" to have it back, or remove it and its marker."
                : "The directory " + marker.name() + " still belongs to a former claim of this name.";
    }

    private static String aboutNamesake(AssetName name, PersistentVolume namesake) {
        String whose = Words.annotation(namesake, Words.PROVISIONED_BY).orElse("");
        return "There is a volume " + name + " already, and it is not this claim's"
                + (whose.isEmpty() ? "" : "; " + Words.quoted(whose) + " made it")
                + ". This claim's is made when that one is gone: "
                + (Words.isLeaving(namesake) || "Released".equals(phase(namesake))
                        ? "it is released, and goes by itself unless it is retained."
                        : "give the claim another name, or use a class with naming: uid.");
    }

    private static String phase(PersistentVolume volume) {
        return volume.getStatus() == null
                ? ""
                : String.valueOf(volume.getStatus().getPhase());
    }

    private static Decision<Step> tell(Observed observed, PersistentVolumeClaim claim, String message, Retry retry) {
        Result then = retry == Retry.LATER ? Result.retry(message) : Result.requiresChange(message);
        return observed.progress().told().equals(message)
                ? Decision.finish(then)
                : Decision.act(new Step.Tell(observed.key(), claim, className(claim), message, then));
    }

    /** Kubernetes writes this once it has found that nobody but the class's provisioner can help. */
    private static boolean isAskedOf(PersistentVolumeClaim claim, String provisioner) {
        Optional<String> asked = Words.annotation(claim, Words.PROVISIONER);
        return (asked.isPresent() ? asked : Words.annotation(claim, Words.BETA_PROVISIONER))
                .filter(provisioner::equals)
                .isPresent();
    }

    private boolean isTimeFor(PersistentVolumeClaim claim, DirectoryClass ours) {
        String node = Words.annotation(claim, Words.SELECTED_NODE).orElse("");
        return settings.node().isEmpty()
                ? !ours.waits() || !node.isEmpty()
                : settings.node().equals(node);
    }

    private static String className(PersistentVolumeClaim claim) {
        return String.valueOf(claim.getSpec().getStorageClassName());
    }
}
