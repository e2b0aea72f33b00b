package io.bucketwright.buckets.stores;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.bucketwright.buckets.classes.SecretName;
import io.bucketwright.runtime.ManualLeadership;
import io.bucketwright.runtime.ManualTime;
import io.bucketwright.runtime.Moment;
import io.bucketwright.runtime.cache.CacheListener;
import io.bucketwright.runtime.cache.Informer;
import io.bucketwright.runtime.cache.InformerSource;
import io.bucketwright.runtime.cache.InformerStore;
import io.bucketwright.runtime.cache.ObjectCaches;
import io.bucketwright.runtime.cache.Scope;
import io.bucketwright.runtime.engine.ControllerContext;
import io.bucketwright.runtime.testing.InMemoryApiServer;
import io.bucketwright.runtime.testing.InMemoryProcess;
import io.bucketwright.store.errors.StoreException.Denied;
import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.api.model.Secret;
import io.fabric8.kubernetes.api.model.SecretBuilder;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Base64;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.BooleanSupplier;
import java.util.function.Function;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class AdministratorSecretsTest {

    private static final SecretName NAME = new SecretName("system", "administrator");

    private final InMemoryApiServer server = new InMemoryApiServer();
    private final ManualTime time = new ManualTime();
    private final InMemoryProcess process = new InMemoryProcess(server, time, new ManualLeadership()).start();
    private final AtomicLong nanos = new AtomicLong();

    private void create(String key) {
        server.create(new SecretBuilder()
                .withNewMetadata()
                .withNamespace(NAME.namespace())
                .withName(NAME.name())
                .endMetadata()
                .withData(Map.of("key", base64(key)))
                .build());
    }

    private void change(String key) {
        server.edit(Secret.class, NAME.namespace(), NAME.name(), secret -> secret.setData(Map.of("key", base64(key))));
    }

    private static String base64(String text) {
        return Base64.getEncoder().encodeToString(text.getBytes(StandardCharsets.UTF_8));
    }

    private static String key(AdministratorSecrets secrets) {
        return secrets.read(NAME).secret().require("key").reveal();
    }

    private static void listen(AdministratorSecrets secrets, List<String> to, Function<Secret, String> shown) {
        secrets.listen(new CacheListener<Secret>() {
            @Override
            public void changed(Secret before, Secret after) {
                to.add(shown.apply(after));
            }

            @Override
            public void deleted(Secret last) {
                to.add("deleted");
            }
        });
    }

    @Test
    void aChangeThatTheWatchShowsIsInUseAtOnceAndReported() {
        AdministratorSecrets secrets = AdministratorSecrets.of(process.context());
        List<String> reported = new ArrayList<>();
        listen(secrets, reported, after -> after.getMetadata().getName());
        create("old");
        assertThat(key(secrets)).isEqualTo("old");
        process.settle();
        change("new");
        process.settle();
        assertThat(key(secrets)).isEqualTo("new");
        assertThat(secrets.known(NAME).orElseThrow().secret().require("key").reveal())
                .isEqualTo("new");
        assertThat(reported).isNotEmpty().containsOnly(NAME.name());

        server.delete(Secret.class, NAME.namespace(), NAME.name());
        process.settle();
        assertThatThrownBy(() -> key(secrets)).isInstanceOf(Denied.class).hasMessageContaining("does not exist");
    }

    @Test
    void withoutAWatchWhatWasReadIsUsedForAtMostThirtySeconds() {
        AdministratorSecrets secrets = AdministratorSecrets.of(process.context().reader(), null, nanos::get);
        create("old");
        assertThat(key(secrets)).isEqualTo("old");
        change("new");
        nanos.set(Duration.ofSeconds(29).toNanos());
        assertThat(key(secrets)).as("still in use").isEqualTo("old");
        nanos.set(Duration.ofSeconds(30).toNanos());
        assertThat(key(secrets)).isEqualTo("new");
    }

    @Test
    void afterTheStoreRejectedTheCredentialsTheSecretIsReadAgain() {
        AdministratorSecrets secrets = AdministratorSecrets.of(process.context());
        create("old");
        assertThat(key(secrets)).isEqualTo("old");
        process.settle();
        change("new");
        secrets.reject(NAME);
        assertThat(key(secrets)).as("although the watch is behind").isEqualTo("new");
    }

    /** A watch that begins with the Secret of this moment, shows what the test delivers, and fails when the test says so. */
    private final class Watch implements InformerSource {

        private String problem = "";
        private boolean lists = true;
        private Runnable deliver = () -> {};

        @Override
        public <T extends HasMetadata> Informer informer(Class<T> type, Scope scope, InformerStore<T> store) {
            deliver = () -> store.changed(type.cast(secret()));
            return new Informer() {
                @Override
                public void start() {
                    if (lists && problem.isEmpty()) {
                        store.complete(Set.of(store.listed(type.cast(secret()))), Long.toString(server.version()));
                    }
                }

                @Override
                public CompletableFuture<Void> listed() {
                    return CompletableFuture.completedFuture(null);
                }

                @Override
                public CompletableFuture<Boolean> current(Moment since, BooleanSupplier wanted) {
                    return CompletableFuture.completedFuture(true);
                }

                @Override
                public String problem() {
                    return problem;
                }

                @Override
                public void close() {
                    // Nothing runs.
                }
            };
        }

        private Secret secret() {
            return server.get(Secret.class, NAME.namespace(), NAME.name()).orElseThrow();
        }
    }

    private final Watch watch = new Watch();
    private final List<String> reported = new ArrayList<>();

    private AdministratorSecrets watching() {
        ControllerContext context = process.context();
        AdministratorSecrets secrets = AdministratorSecrets.of(new ControllerContext(
                context.writer(),
                context.reader(),
                new ObjectCaches(watch, new SimpleMeterRegistry()),
                context.leadership(),
                context.events(),
                context.time(),
                context.meters(),
                context.metrics(),
                context.random(),
                context.registry()));
        listen(
                secrets,
                reported,
                after -> new String(Base64.getDecoder().decode(after.getData().get("key")), StandardCharsets.UTF_8));
        return secrets;
    }

    private static String known(AdministratorSecrets secrets) {
        return secrets.known(NAME)
                .map(found -> found.secret().require("key").reveal())
                .orElse("");
    }

    private void pass(Duration duration) {
        Duration step = Duration.ofSeconds(5);
        process.settle();
        for (Duration passed = step; passed.compareTo(duration) <= 0; passed = passed.plus(step)) {
            time.advance(step);
            process.settle();
        }
    }

    @Test
    void whenTheWatchFailsItsLastContentIsKnownAndNotWhatWasReadAtFirst() {
        create("old");
        AdministratorSecrets secrets = watching();
        assertThat(key(secrets)).isEqualTo("old");
        change("new");
        watch.deliver.run();
        assertThat(known(secrets)).isEqualTo("new");
        watch.problem = "The API server does not respond";
        assertThat(known(secrets)).isEqualTo("new");
        time.advance(Duration.ofHours(1));
        assertThat(known(secrets)).isEqualTo("new");
    }

    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void aSecretThatCannotBeWatchedIsReadEvery30SecondsAndItsChangesAreReported(boolean fromTheStart) {
        create("old");
        if (fromTheStart) {
            watch.problem = "Forbidden";
        }
        AdministratorSecrets secrets = watching();
        assertThat(key(secrets)).isEqualTo("old");
        watch.problem = "Forbidden";
        pass(Duration.ofSeconds(30));
        reported.clear();
        pass(Duration.ofMinutes(5));
        assertThat(reported).as("unchanged").isEmpty();
        change("new");
        pass(Duration.ofSeconds(30));
        assertThat(reported).containsExactly("new");
        assertThat(known(secrets)).isEqualTo("new");
        assertThat(key(secrets)).isEqualTo("new");
    }

    /** The informer calls its listeners before its first list ends, and before it knows that a problem has ended. */
    @ParameterizedTest
    @ValueSource(strings = {"", "The API server does not respond"})
    void whoIsWokenByAChangeSeesIt(String problem) {
        create("old");
        watch.lists = false;
        watch.problem = problem;
        AdministratorSecrets secrets = watching();
        assertThat(key(secrets)).isEqualTo("old");
        List<String> seen = new ArrayList<>();
        listen(secrets, seen, after -> known(secrets));
        change("new");
        watch.deliver.run();
        assertThat(seen).containsExactly("new");
    }

    @Test
    void whatWasReadLongAgoIsNotKnown() {
        create("old");
        watch.problem = "Forbidden";
        AdministratorSecrets secrets = AdministratorSecrets.of(
                process.context().reader(), new ObjectCaches(watch, new SimpleMeterRegistry()), nanos::get);
        assertThat(key(secrets)).isEqualTo("old");
        assertThat(known(secrets)).isEqualTo("old");
        nanos.set(Duration.ofSeconds(30).toNanos());
        assertThat(known(secrets)).isEmpty();
    }

    @Test
    void aSecretThatIsWatchedIsNotRead() {
        create("old");
        AdministratorSecrets secrets = watching();
        assertThat(known(secrets)).isEqualTo("old");
        change("new");
        pass(Duration.ofMinutes(5));
        assertThat(known(secrets)).as("the watch did not show the change").isEqualTo("old");
    }

    /** A watch shows only a part of it: its other values are missing, and its credentials may be among them. */
    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void aSecretThatIsTooLargeForTheCachesIsReadWhenItChanges(boolean fromTheStart) {
        create("old");
        if (fromTheStart) {
            addLargeValue();
        }
        AdministratorSecrets secrets = AdministratorSecrets.of(process.context());
        List<String> seen = new ArrayList<>();
        listen(secrets, seen, after -> known(secrets));
        assertThat(key(secrets)).isEqualTo("old");
        process.settle();
        assertThat(key(secrets)).isEqualTo("old");
        addLargeValue();
        process.settle();
        assertThat(key(secrets)).isEqualTo("old");
        assertThat(known(secrets)).isEqualTo("old");
        server.edit(
                Secret.class,
                NAME.namespace(),
                NAME.name(),
                secret -> secret.getData().put("key", base64("new")));
        process.settle();
        assertThat(seen).as("the known key when a change is reported").endsWith("new");
        assertThat(known(secrets)).isEqualTo("new");
        assertThat(key(secrets)).isEqualTo("new");
        pass(Duration.ofMinutes(5));
        assertThat(key(secrets)).isEqualTo("new");

        server.delete(Secret.class, NAME.namespace(), NAME.name());
        process.settle();
        assertThatThrownBy(() -> key(secrets)).isInstanceOf(Denied.class).hasMessageContaining("does not exist");
    }

    private void addLargeValue() {
        server.edit(Secret.class, NAME.namespace(), NAME.name(), secret -> {
            Map<String, String> data = new HashMap<>(secret.getData());
            data.put("certificates", base64("x".repeat(100_000)));
            secret.setData(data);
        });
    }
}
