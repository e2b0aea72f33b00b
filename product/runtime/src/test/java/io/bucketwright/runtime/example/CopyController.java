package io.bucketwright.runtime.example;

import io.bucketwright.runtime.ObjectKey;
import io.bucketwright.runtime.cache.ObjectCache;
import io.bucketwright.runtime.cache.Scope;
import io.bucketwright.runtime.controller.Decision;
import io.bucketwright.runtime.controller.Problem;
import io.bucketwright.runtime.controller.Step;
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
    record Observation(Optional<ConfigMap> original, Optional<ConfigMap> copy) {}

    private final ObjectCache<ConfigMap> configMaps;

    private CopyController(ObjectCache<ConfigMap> configMaps) {
        this.configMaps = configMaps;
    }

    static void register(ControllerContext context, String namespace) {
        CopyController loop = new CopyController(context.caches().of(ConfigMap.class, Scope.namespace(namespace)));
        context.controller("copies", loop::observe, CopyController::decide)
                .workers(2)
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
        return new Observation(original, copy);
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
            return Decision.act(new Step.Write("Create", copyOf(original, name), new Step.Create()));
        }
        ConfigMap copy = observed.copy().get();
        if (!Metadata.isOwnedBy(copy, original.getMetadata().getUid())) {
            Problem problem = Problem.requiresChange(
                    "NameInUse", "ConfigMap " + SafeText.quoted(name) + " exists and is not a copy of this one.");
            return Decision.act(new Step.Report(original, "Copy", problem));
        }
        return copy.getData().equals(original.getData())
                ? Decision.done()
                : Decision.act(new Step.Write("Update", copy, new Step.Merge(Map.of("data", original.getData()))));
    }

    private static ConfigMap copyOf(ConfigMap original, String name) {
        return new ConfigMapBuilder()
                .withNewMetadata()
                .withNamespace(original.getMetadata().getNamespace())
                .withName(name)
                .withOwnerReferences(Metadata.ownerReference(original))
                .endMetadata()
                .withData(original.getData())
                .build();
    }
}
