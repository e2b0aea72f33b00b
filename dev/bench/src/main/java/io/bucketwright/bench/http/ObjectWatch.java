package io.bucketwright.bench.http;

import io.fabric8.kubernetes.api.model.GenericKubernetesResource;
import io.fabric8.kubernetes.api.model.ListOptionsBuilder;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.Watch;
import io.fabric8.kubernetes.client.Watcher;
import io.fabric8.kubernetes.client.WatcherException;
import io.fabric8.kubernetes.client.dsl.Watchable;
import io.fabric8.kubernetes.client.dsl.base.ResourceDefinitionContext;
import java.io.IOException;
import java.util.List;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** A watch on the objects of one path. It resumes where it was cut. */
public final class ObjectWatch implements AutoCloseable {

    private final String path;
    private final Watch watch;
    private volatile @Nullable WatcherException failure;

    /** @param version from which changes are passed on */
    ObjectWatch(KubernetesClient client, String path, String version, Consumer<WatchEvent> events) {
        this.path = path;
        this.watch = objects(client, path)
                .watch(new ListOptionsBuilder().withResourceVersion(version).build(), new Watcher<>() {
                    @Override
                    public void eventReceived(Action action, GenericKubernetesResource object) {
                        events.accept(new WatchEvent(action, object, System.nanoTime()));
                    }

                    @Override
                    public void onClose(WatcherException cause) {
                        failure = cause;
                    }
                });
    }

    /** A path such as {@code /apis/objectbucket.io/v1alpha1/namespaces/default/objectbucketclaims}. */
    private static Watchable<GenericKubernetesResource> objects(KubernetesClient client, String path) {
        List<String> parts = List.of(path.split("/", -1));
        boolean core = parts.get(1).equals("api");
        int version = core ? 2 : 3;
        boolean namespaced = parts.size() > version + 2;
        ResourceDefinitionContext.Builder kind = new ResourceDefinitionContext.Builder()
                .withVersion(parts.get(version))
                .withPlural(parts.getLast())
                .withNamespaced(namespaced);
        var objects = client.genericKubernetesResources((core ? kind : kind.withGroup(parts.get(2))).build());
        return namespaced ? objects.inNamespace(parts.get(version + 2)) : objects;
    }

    /** Throws what ended the watch, if anything did. */
    public void requireRunning() throws IOException {
        WatcherException ended = failure;
        if (ended != null) {
            throw new IOException("The watch on " + path + " failed: " + ended.getMessage(), ended);
        }
    }

    @Override
    public void close() {
        watch.close();
    }
}
