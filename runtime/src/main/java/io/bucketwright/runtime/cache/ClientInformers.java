package io.bucketwright.runtime.cache;

import io.bucketwright.runtime.client.ResourceKind;
import io.bucketwright.runtime.keepalive.ServerActivity;
import io.bucketwright.runtime.keepalive.WatchId;
import io.bucketwright.runtime.keepalive.WatchStatus;
import io.bucketwright.runtime.objects.SafeText;
import io.fabric8.kubernetes.api.model.ConfigMap;
import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.api.model.KubernetesResourceList;
import io.fabric8.kubernetes.api.model.Secret;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientException;
import io.fabric8.kubernetes.client.dsl.AnyNamespaceOperation;
import io.fabric8.kubernetes.client.dsl.FilterWatchListDeletable;
import io.fabric8.kubernetes.client.dsl.MixedOperation;
import io.fabric8.kubernetes.client.dsl.Resource;
import io.fabric8.kubernetes.client.informers.SharedIndexInformer;
import java.util.Set;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Supplier;
import java.util.function.UnaryOperator;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Informers that list and watch through a client. */
record ClientInformers(KubernetesClient client, ServerActivity activity) implements InformerSource {

    private static final Logger log = LoggerFactory.getLogger(ClientInformers.class);

    /** Lists are paged: one response with ten thousand objects would need more memory than all that follows. */
    private static final long PAGE = 500;

    /** For kinds of which users can create objects of a mebibyte: a page must fit into memory before it is trimmed. */
    private static final long PAGE_OF_LARGE_OBJECTS = 25;

    private static final Set<Class<?>> LARGE_OBJECTS = Set.of(Secret.class, ConfigMap.class);

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
        if (!scope.notNamed().isEmpty()) {
            chosen = chosen.withoutField("metadata.name", scope.notNamed());
        }
        if (!scope.fields().isEmpty()) {
            chosen = chosen.withFields(scope.fields());
        }
        SharedIndexInformer<T> informer =
                chosen.withLimit(page(type)).runnableInformer(0).itemStore(new TrimmedItemStore<>(trim));
        AtomicReference<String> last = new AtomicReference<>("");
        // By default an informer stops for good at the first watch error that is not a 410.
        return informer.removeNamespaceIndex().exceptionHandler((_, problem) -> {
            // Once in one sentence, instead of a stack trace at each attempt.
            String message = SafeText.line(rootCause(problem));
            if (!message.equals(last.getAndSet(message))) {
                log.warn("Listing or watching {} failed, retrying: {}", HasMetadata.getPlural(type), message);
            }
            return true;
        });
    }

    private static long page(Class<?> type) {
        return LARGE_OBJECTS.contains(type) ? PAGE_OF_LARGE_OBJECTS : PAGE;
    }

    private static String rootCause(Throwable problem) {
        Throwable cause = problem;
        while (cause.getCause() != null && !(cause instanceof KubernetesClientException)) {
            cause = cause.getCause();
        }
        // The server's own words, which name a missing permission, before the URL of the request.
        if (cause instanceof KubernetesClientException answer
                && answer.getStatus() != null
                && answer.getStatus().getMessage() != null) {
            return answer.getStatus().getMessage();
        }
        return cause.getMessage() == null ? cause.getClass().getSimpleName() : cause.getMessage();
    }

    @Override
    public Supplier<WatchStatus> track(ResourceKind<?> kind, Scope scope) {
        return activity.track(new WatchId("/" + kind.collection(scope.namespace()), scope.requirements()));
    }
}
