package io.bucketwright.volumes.podclaims;

import io.bucketwright.runtime.TimeSource;
import io.bucketwright.runtime.client.ApiError;
import io.bucketwright.runtime.client.ApiException;
import io.bucketwright.runtime.client.ApiWriter;
import io.bucketwright.runtime.controller.Outcome;
import io.bucketwright.runtime.controller.Result;
import io.bucketwright.runtime.events.EventRecorder;
import io.bucketwright.runtime.queue.Backoff;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.authorization.v1.SubjectAccessReview;
import io.fabric8.kubernetes.api.model.authorization.v1.SubjectAccessReviewBuilder;
import java.util.random.RandomGenerator;

/** Carries the steps out. */
final class ClaimActs {

    private static final String ACTION = "Provision";

    private final ApiWriter writer;
    private final EventRecorder events;
    private final Recollections memory;
    private final TimeSource time;
    private final Backoff backoff;
    private final RandomGenerator random;

    ClaimActs(
            ApiWriter writer,
            EventRecorder events,
            Recollections memory,
            TimeSource time,
            Backoff backoff,
            RandomGenerator random) {
        this.writer = writer;
        this.events = events;
        this.memory = memory;
        this.time = time;
        this.backoff = backoff;
        this.random = random;
    }

    Outcome act(Step step) {
        return switch (step) {
            case Step.Tell tell -> tell(tell);
            case Step.Authorize authorize -> authorize(authorize);
            case Step.Create create -> create(create);
        };
    }

    private Outcome tell(Step.Tell step) {
        events.warning(
                step.pod(),
                step.trouble().reason().word(),
                ACTION,
                step.trouble().note());
        memory.change(step.key(), old -> old.withTold(step.trouble()));
        return Outcome.progress();
    }

    private Outcome authorize(Step.Authorize step) {
        String account = Marks.serviceAccount(step.pod());
        SubjectAccessReview answer = writer.create(review(step.pod(), account));
        if (answer.getStatus() != null && Boolean.TRUE.equals(answer.getStatus().getAllowed())) {
            memory.change(step.key(), old -> old.withCleared(step.inputs()));
            return Outcome.progress();
        }
        String note = "Service account " + account + " may not create PersistentVolumeClaims in namespace "
                + step.pod().getMetadata().getNamespace() + ", so none is made for its pod; let it, or remove the"
                + " annotations";
        // A right is given without any event of the pod: look again now and then.
        refuse(step.key(), step.inputs(), note, false);
        return Outcome.progress();
    }

    private Outcome create(Step.Create step) {
        try {
            writer.create(step.claim());
        } catch (ApiException e) {
            return failed(step, e);
        }
        events.normal(
                step.pod(),
                Reason.PROVISIONED.word(),
                ACTION,
                "PersistentVolumeClaim " + step.claim().getMetadata().getName() + " created for volume "
                        + step.key().volume());
        return Outcome.progress();
    }

    private Outcome failed(Step.Create step, ApiException e) {
        return switch (e.error()) {
            // The cache is a moment behind; what it brings decides whose the claim is.
            case ApiError.AlreadyExists taken -> Outcome.finish(Result.of(taken));
            // The pod goes with its namespace.
            case ApiError.Terminating going -> Outcome.finish(Result.of(going));
            case ApiError.Invalid invalid -> {
                refuse(step.key(), step.inputs(), Printable.of(invalid.message()), true);
                yield Outcome.progress();
            }
            case ApiError.Forbidden forbidden -> {
                refuse(step.key(), step.inputs(), Printable.of(forbidden.message()), false);
                yield Outcome.progress();
            }
            case ApiError.Conflict _, ApiError.NotFound _, ApiError.Throttled _, ApiError.Unavailable _ -> throw e;
        };
    }

    private void refuse(VolumeKey key, String inputs, String note, boolean lasting) {
        memory.change(key, old -> {
            int attempts = old.refusal()
                            .filter(last -> last.inputs().equals(inputs))
                            .map(Refusal::attempts)
                            .orElse(0)
                    + 1;
            long notBefore = time.nanos() + backoff.delay(attempts, random).toNanos();
            return old.withRefusal(new Refusal(inputs, new Trouble(Reason.FAILED, note), attempts, lasting, notBefore));
        });
    }

    private static SubjectAccessReview review(Pod pod, String account) {
        String namespace = pod.getMetadata().getNamespace();
        return new SubjectAccessReviewBuilder()
                .withNewMetadata()
                .endMetadata()
                .withNewSpec()
                .withUser("system:serviceaccount:" + namespace + ":" + account)
                .withGroups("system:serviceaccounts", "system:serviceaccounts:" + namespace, "system:authenticated")
                .withNewResourceAttributes()
                .withNamespace(namespace)
                .withVerb("create")
                .withResource("persistentvolumeclaims")
                .endResourceAttributes()
                .endSpec()
                .build();
    }
}
