package io.bucketwright.runtime.cache;

import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.api.model.KubernetesResourceList;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.dsl.AnyNamespaceOperation;
import io.fabric8.kubernetes.client.dsl.FilterWatchListDeletable;
import io.fabric8.kubernetes.client.dsl.MixedOperation;
import io.fabric8.kubernetes.client.dsl.Resource;
import io.fabric8.kubernetes.client.informers.SharedIndexInformer;
import java.util.function.UnaryOperator;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Informers that list and watch through a client. */
record ClientInformers(KubernetesClient client) implements InformerSource {

    private static final Logger log = LoggerFactory.getLogger(ClientInformers.class);

    /** Lists are paged: one response with ten thousand objects would need more memory than all that follows. */
    private static final long PAGE = 500;

    @Override
    public <T extends HasMetadata> SharedIndexInformer<T> informer(Class<T> type, Scope scope, UnaryOperator<T> trim) {
        MixedOperation<T, KubernetesResourceList<T>, Resource<T>> all = client.resources(type);
        AnyNamespaceOperation<T, KubernetesResourceList<T>, Resource<T>> placed =
                scope.namespace().isEmpty() ? all.inAnyNamespace() : all.inNamespace(scope.namespace());
        FilterWatchListDeletable<T, KubernetesResourceList<T>, Resource<T>> chosen = placed.withLabels(scope.labels());
        for (String label : scope.present()) {
            chosen = chosen.withLabel(label);
        }
        if (!scope.name().isEmpty()) {
            chosen = chosen.withField("metadata.name", scope.name());
        }
        if (!scope.fields().isEmpty()) {
            chosen = chosen.withFields(scope.fields());
        }
        SharedIndexInformer<T> informer =
                chosen.withLimit(PAGE).runnableInformer(0).itemStore(new TrimmedItemStore<>(trim));
        // By default an informer stops for good at the first watch error that is not a 410.
        return informer.removeNamespaceIndex().exceptionHandler((begun, problem) -> {
            log.debug("Informer of {} in {} lists again after {}", type.getSimpleName(), scope, problem.toString());
            return true;
        });
    }
}
