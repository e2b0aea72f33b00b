package io.bucketwright.runtime.example;

import io.bucketwright.runtime.ObjectKey;
import io.bucketwright.runtime.cache.ObjectCache;
import io.bucketwright.runtime.cache.Scope;
import io.bucketwright.runtime.controller.Decision;
import io.bucketwright.runtime.controller.InFlightState;
import io.bucketwright.runtime.controller.Outcome;
import io.bucketwright.runtime.controller.Problem;
import io.bucketwright.runtime.engine.ControllerContext;
import io.bucketwright.runtime.objects.Metadata;
import io.bucketwright.runtime.objects.SafeText;
import io.fabric8.kubernetes.api.model.ConfigMap;
import io.fabric8.kubernetes.api.model.ConfigMapBuilder;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;

/** Keeps a copy of each ConfigMap that has the annotation {@code example.com/copy-to}, under the name given there. */
final class CopyController {

    static final String COPY_TO = "example.com/copy-to";

    /** Everything known about a ConfigMap; it is empty if the ConfigMap does not exist. */
    record Observation(ObjectKey key, Optional<ConfigMap> original, Optional<ConfigMap> copy, String reported) {}

    /** What can be done. */
    sealed interface Step {

        record Create(ConfigMap original, String name) implements Step {}

        record Update(ConfigMap copy, Map<String, String> data) implements Step {}

        record Report(ConfigMap original, Problem problem) implements Step {}
    }

    private final ControllerContext context;
    private final ObjectCache<ConfigMap> configMaps;
    private final InFlightState<ObjectKey, String> reported;

    private CopyController(ControllerContext context, String namespace) {
        this.context = context;
        this.configMaps = context.caches().of(ConfigMap.class, Scope.namespace(namespace));
        this.reported = context.inFlight("");
    }

    static void register(ControllerContext context, String namespace) {
        CopyController loop = new CopyController(context, namespace);
        context.controller("copies", loop::observe, CopyController::decide, loop::act)
                .workers(2)
                .inFlight(loop.reported)
                .watch(loop.configMaps, Function.identity())
                .watchRelated(loop.configMaps, loop::originalsOf);
    }

    /** A change of a copy concerns its original, and one of a foreign object those that want its name. */
    private List<ObjectKey> originalsOf(ConfigMap changed) {
        return configMaps.list().stream()
                .filter(map -> Metadata.annotation(map, COPY_TO)
                        .equals(changed.getMetadata().getName()))
                .map(ObjectKey::of)
                .toList();
    }

    private Observation observe(ObjectKey key) {
        Optional<ConfigMap> original =
                configMaps.get(key.namespace(), key.name()).filter(key::names);
        Optional<ConfigMap> copy = original.map(map -> Metadata.annotation(map, COPY_TO))
                .filter(name -> !name.isEmpty())
                .flatMap(name -> configMaps.get(key.namespace(), name));
        return new Observation(key, original, copy, reported.get(key));
    }

    private static Decision<Step> decide(Observation observed) {
        if (observed.original().isEmpty()) {
            return Decision.done(); // The garbage collector deletes the copy.
        }
        ConfigMap original = observed.original().get();
        String name = Metadata.annotation(original, COPY_TO);
        if (name.isEmpty() || Metadata.isBeingDeleted(original)) {
            return Decision.done();
        }
        if (observed.copy().isEmpty()) {
            return Decision.act(new Step.Create(original, name));
        }
        ConfigMap copy = observed.copy().get();
        if (!Metadata.isOwnedBy(copy, original.getMetadata().getUid())) {
            Problem problem = Problem.requiresChange(
                    "NameInUse", "ConfigMap " + SafeText.quoted(name) + " exists and is not a copy of this one.");
            return problem.message().equals(observed.reported())
                    ? Decision.finish(problem.result())
                    : Decision.act(new Step.Report(original, problem));
        }
        return copy.getData().equals(original.getData())
                ? Decision.done()
                : Decision.act(new Step.Update(copy, original.getData()));
    }

    private Outcome act(Step step) {
        switch (step) {
            case Step.Create(ConfigMap original, String name) ->
                context.writer()
                        .create(new ConfigMapBuilder()
                                .withNewMetadata()
                                .withNamespace(original.getMetadata().getNamespace())
                                .withName(name)
                                .withOwnerReferences(Metadata.ownerReference(original))
                                .endMetadata()
                                .withData(original.getData())
                                .build());
            case Step.Update(ConfigMap copy, Map<String, String> data) ->
                context.writer().merge(copy, Map.of("data", data));
            case Step.Report(ConfigMap original, Problem problem) -> {
                context.events().warning(original, problem.reason(), "Copy", problem.message());
                reported.update(ObjectKey.of(original), _ -> problem.message());
            }
        }
        return Outcome.progress();
    }
}
