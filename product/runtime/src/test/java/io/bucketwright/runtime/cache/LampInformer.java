package io.bucketwright.runtime.cache;

import com.fasterxml.jackson.annotation.JsonAnySetter;
import io.bucketwright.runtime.SystemTime;
import io.bucketwright.runtime.client.ApiConnection;
import io.bucketwright.runtime.client.ResourceKind;
import io.bucketwright.runtime.keepalive.Keepalive;
import io.fabric8.kubernetes.api.model.Namespaced;
import io.fabric8.kubernetes.client.Config;
import io.fabric8.kubernetes.client.ConfigBuilder;
import io.fabric8.kubernetes.client.CustomResource;
import io.fabric8.kubernetes.model.annotation.Group;
import io.fabric8.kubernetes.model.annotation.Version;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.UnaryOperator;
import org.awaitility.Awaitility;
import org.jspecify.annotations.Nullable;

/** An informer of lamps, a kind that only tests have, and the scripted server that it lists and watches. */
final class LampInformer implements AutoCloseable {

    @Group("test.example.org")
    @Version("v1")
    static final class Lamp extends CustomResource<LampSpec, @Nullable Void> implements Namespaced {
        private static final long serialVersionUID = 1L;
    }

    record LampSpec(@Nullable String colour, @JsonAnySetter Map<String, Object> others) {
        LampSpec {
            if ("broken".equals(colour)) {
                throw new IllegalArgumentException("no such colour");
            }
        }
    }

    private final String namespace;
    final ListWatchServer server = new ListWatchServer();
    private final SystemTime time = new SystemTime();
    final ApiConnection connection;

    /** How long the informer wanted to wait, each time. It waits a twentieth of it, at most 100 ms. */
    final List<Duration> delays = new CopyOnWriteArrayList<>();

    final List<String> reported = new CopyOnWriteArrayList<>();
    InformerStore<Lamp> store = new InformerStore<>(UnaryOperator.identity());
    Reflector<Lamp> reflector;

    LampInformer() {
        this("", "ns");
    }

    /**
     * An informer that is not started.
     *
     * @param root the path of the API server
     */
    LampInformer(String root, String namespace) {
        this.namespace = namespace;
        Config config = new ConfigBuilder(Config.empty())
                .withAutoConfigure(false)
                .withMasterUrl(server.url() + root)
                .build();
        connection = new ApiConnection(
                config, Keepalive.standard(), time, new SimpleMeterRegistry(), UnaryOperator.identity());
        reflector = newReflector();
    }

    /** Ends the informer, and makes another one with an empty store. */
    void renew() {
        renew(UnaryOperator.identity());
    }

    void renew(UnaryOperator<Lamp> trim) {
        reflector.close();
        store = new InformerStore<>(trim);
        reflector = newReflector();
        delays.clear();
        reported.clear();
    }

    private Reflector<Lamp> newReflector() {
        return new Reflector<>(
                ResourceKind.of(Lamp.class),
                Scope.namespace(namespace).labelled("app", "x").having("owner"),
                connection.lists(),
                connection.decoder(Lamp.class),
                store,
                Duration.ofMillis(100),
                delay -> {
                    delays.add(delay);
                    Thread.sleep(Math.min(100, delay.toMillis() / 20));
                });
    }

    void start() {
        store.listen(new CacheListener<>() {
            @Override
            public void changed(Lamp before, Lamp after) {
                reported.add("changed " + name(after) + " from "
                        + before.getMetadata().getResourceVersion());
            }

            @Override
            public void deleted(Lamp last) {
                reported.add("deleted " + name(last));
            }
        });
        reflector.start();
    }

    void awaitVersion(String version) {
        Awaitility.await()
                .pollDelay(Duration.ZERO)
                .pollInterval(Duration.ofMillis(2))
                .until(() -> {
                    // Listeners are called with this lock, after the version has changed.
                    InformerStore<Lamp> locked = store;
                    synchronized (locked) {
                        return locked.version().value().equals(version);
                    }
                });
    }

    List<String> shown() {
        return store.list().stream()
                .map(lamp -> {
                    @Nullable LampSpec spec = lamp.getSpec();
                    return name(lamp) + " " + (spec == null ? "-" : spec.colour());
                })
                .toList();
    }

    private static String name(Lamp lamp) {
        return lamp.getMetadata().getName() + " " + lamp.getMetadata().getResourceVersion();
    }

    static String lamp(String name, int version, String colour) {
        return lamp(name, "uid-" + name, version, colour);
    }

    static String lamp(String name, String uid, int version, String colour) {
        return """
                {"apiVersion":"test.example.org/v1","kind":"Lamp","metadata":{"labels":{"name":"no"},"name":"%s",\
                "managedFields":[{"manager":"m","fieldsV1":{"f:metadata":{"name":{}}}}],"namespace":"ns",\
                "resourceVersion":"%d","uid":"%s"},"spec":{"colour":"%s"}}""".formatted(name, version, uid, colour);
    }

    static String event(String type, String object) {
        return "{\"type\":\"" + type + "\",\"object\":" + object + "}";
    }

    static String bookmark(int version) {
        return event("BOOKMARK", "{\"kind\":\"Lamp\",\"metadata\":{\"resourceVersion\":\"" + version + "\"}}");
    }

    static String page(String version, String next, String... lamps) {
        return "{\"apiVersion\":\"test.example.org/v1\",\"items\":[" + String.join(",", lamps)
                + "],\"kind\":\"LampList\",\"metadata\":{\"continue\":\"" + next + "\",\"resourceVersion\":\"" + version
                + "\"}}";
    }

    @Override
    public void close() {
        reflector.close();
        connection.close();
        server.close();
        time.close();
    }
}
