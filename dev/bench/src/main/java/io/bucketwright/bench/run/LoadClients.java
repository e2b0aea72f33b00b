package io.bucketwright.bench.run;

import io.bucketwright.app.command.CommandException;
import io.bucketwright.bench.ceiling.CreatedObject;
import io.bucketwright.bench.http.ApiClient;
import io.bucketwright.bench.http.PlainResponse;
import io.bucketwright.bench.workload.NewObject;
import java.io.IOException;
import java.net.HttpURLConnection;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Function;

/** The users of the cluster: they create and delete objects as fast as the API server accepts it. */
final class LoadClients {

    private static final int CLIENTS = 8;
    private static final String JSON = "application/json";
    private static final String MERGE_PATCH = "application/merge-patch+json";

    private final ApiClient admin;

    LoadClients(ApiClient admin) {
        this.admin = admin;
    }

    /** Receives the objects that exist under a name. */
    @FunctionalInterface
    interface Listener {
        void changed(String name, List<CreatedObject> objects);
    }

    @FunctionalInterface
    private interface Operation {
        List<CreatedObject> run(NewObject object, String name) throws IOException;
    }

    /** Creates the objects of these names; returns when the request for each was sent, by {@link System#nanoTime}. */
    Map<String, Long> create(List<String> names, Function<String, List<NewObject>> objects, Listener listener)
            throws InterruptedException {
        return forEach(
                names,
                objects,
                listener,
                (object, _) -> List.of(CreatedObject.of(
                        object.collection(),
                        admin.send("POST", object.collection(), JSON, object.body())
                                .require()
                                .json())));
    }

    /**
     * Changes the objects of these names.
     *
     * @param subresource such as {@code /status}; empty for the object itself
     */
    Map<String, Long> patch(
            List<String> names, Function<String, List<NewObject>> objects, String subresource, String mergePatch)
            throws InterruptedException {
        return forEach(
                names,
                objects,
                (_, _) -> {},
                (object, name) -> List.of(CreatedObject.of(
                        object.collection(),
                        admin.send("PATCH", object.collection() + "/" + name + subresource, MERGE_PATCH, mergePatch)
                                .require()
                                .json())));
    }

    /** Deletes the objects of these names, the last created first. */
    Map<String, Long> delete(List<String> names, Function<String, List<NewObject>> objects, Listener listener)
            throws InterruptedException {
        return forEach(names, name -> objects.apply(name).reversed(), listener, (object, name) -> {
            PlainResponse response = admin.send("DELETE", object.collection() + "/" + name, JSON, "");
            if (response.code() == HttpURLConnection.HTTP_NOT_FOUND) {
                return List.of();
            }
            // The object while finalizers keep it, otherwise a Status.
            CreatedObject left =
                    CreatedObject.of(object.collection(), response.require().json());
            return left.version().isEmpty() || left.uid().isEmpty() ? List.of() : List.of(left);
        });
    }

    private Map<String, Long> forEach(
            List<String> names, Function<String, List<NewObject>> objects, Listener listener, Operation operation)
            throws InterruptedException {
        Map<String, Long> started = new ConcurrentHashMap<>();
        AtomicInteger next = new AtomicInteger();
        int clients = Math.min(CLIENTS, names.size());
        try (ExecutorService threads = Executors.newFixedThreadPool(clients)) {
            List<Future<?>> running = new ArrayList<>();
            for (int i = 0; i < clients; i++) {
                running.add(threads.submit(() -> {
                    for (int index = next.getAndIncrement(); index < names.size(); index = next.getAndIncrement()) {
                        String name = names.get(index);
                        started.put(name, System.nanoTime());
                        List<CreatedObject> changed = new ArrayList<>();
                        for (NewObject object : objects.apply(name)) {
                            changed.addAll(operation.run(object, name));
                        }
                        listener.changed(name, changed);
                    }
                    return null;
                }));
            }
            for (Future<?> each : running) {
                each.get();
            }
            return started;
        } catch (ExecutionException e) {
            throw new CommandException("The load could not be created: " + e.getMessage() + ".", e);
        }
    }
}
