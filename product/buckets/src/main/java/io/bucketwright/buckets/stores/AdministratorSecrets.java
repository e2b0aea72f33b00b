package io.bucketwright.buckets.stores;

import static java.util.function.Predicate.not;

import io.bucketwright.buckets.classes.SecretName;
import io.bucketwright.buckets.objects.ContentDigest;
import io.bucketwright.runtime.ObjectSize;
import io.bucketwright.runtime.cache.CacheListener;
import io.bucketwright.runtime.cache.ObjectCaches;
import io.bucketwright.runtime.cache.Scope;
import io.bucketwright.runtime.cache.ShortWatch;
import io.bucketwright.runtime.client.ApiError;
import io.bucketwright.runtime.client.ApiException;
import io.bucketwright.runtime.client.ObjectReader;
import io.bucketwright.runtime.controller.PeriodicTask;
import io.bucketwright.runtime.controller.Result;
import io.bucketwright.runtime.engine.ControllerContext;
import io.bucketwright.store.AdministratorSecret;
import io.bucketwright.store.errors.StoreException;
import io.bucketwright.store.errors.StoreException.Denied;
import io.bucketwright.store.errors.StoreException.Unavailable;
import io.fabric8.kubernetes.api.model.Secret;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientException;
import java.net.HttpURLConnection;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.Function;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/**
 * Reads administrator Secrets, each when it is first needed. A controller also watches it from then on, by its name, so that
 * a change is in use at once. Without a watch (in a command, before the first list, or if the controller may only get the
 * Secret), what was read is used for at most 30 seconds, and a controller reads it again before that, so that it notices a
 * change. So is a Secret that is too large for a watch, which shows only a part of it. After the store rejected the
 * credentials, it is read again.
 */
public final class AdministratorSecrets implements AutoCloseable {

    /**
     * A Secret as it was read.
     *
     * @param version changes whenever the Secret does
     */
    public record Version(String version, AdministratorSecret secret) {}

    private record Read(Version version, long atNanos) {}

    private static final Version NONE = new Version("", AdministratorSecret.none());
    private static final Duration LONGEST_USE = Duration.ofSeconds(30);
    /** Shorter than that: a request takes time too. */
    private static final Duration POLL = Duration.ofSeconds(20);

    /** One GET of a Secret; fails with a StoreException. */
    private final Function<SecretName, Optional<Secret>> reader;

    /** Null if nothing is watched. */
    private final @Nullable ObjectCaches caches;

    private final LongSupplier nanoTime;
    private final Map<SecretName, Read> reads = new ConcurrentHashMap<>();
    private final Map<SecretName, ShortWatch<Secret>> watches = new ConcurrentHashMap<>();
    /** Secrets whose credentials a store rejected: their watch may be behind. */
    private final Set<SecretName> rejected = ConcurrentHashMap.newKeySet();

    private final List<CacheListener<? super Secret>> listeners = new CopyOnWriteArrayList<>();

    private AdministratorSecrets(
            Function<SecretName, Optional<Secret>> reader, @Nullable ObjectCaches caches, LongSupplier nanoTime) {
        this.reader = reader;
        this.caches = caches;
        this.nanoTime = nanoTime;
    }

    /** Reads and watches Secrets with the permissions of a controller; those that it may not watch are read periodically. */
    public static AdministratorSecrets of(ControllerContext context) {
        AdministratorSecrets secrets =
                of(context.reader(), context.caches(), () -> context.time().nanos());
        context.periodic(context.queue("core-secret-administrators"), POLL, secrets.new Poll())
                .add("all");
        return secrets;
    }

    static AdministratorSecrets of(ObjectReader reader, @Nullable ObjectCaches caches, LongSupplier nanoTime) {
        return new AdministratorSecrets(
                name -> {
                    try {
                        return reader.read(Secret.class, name.namespace(), name.name());
                    } catch (ApiException e) {
                        throw e.error() instanceof ApiError.Forbidden
                                ? forbidden(name)
                                : new Unavailable(String.valueOf(e.getMessage()));
                    }
                },
                caches,
                nanoTime);
    }

    /** Reads Secrets with the permissions of a client, as commands do. */
    public static AdministratorSecrets of(KubernetesClient client) {
        return new AdministratorSecrets(
                name -> {
                    try {
                        return Optional.ofNullable(client.secrets()
                                .inNamespace(name.namespace())
                                .withName(name.name())
                                .get());
                    } catch (KubernetesClientException e) {
                        throw e.getCode() == HttpURLConnection.HTTP_FORBIDDEN
                                ? forbidden(name)
                                : new Unavailable(
                                        "Reading the administrator Secret " + name + " failed: " + e.getMessage());
                    }
                },
                null,
                System::nanoTime);
    }

    private static Denied forbidden(SecretName name) {
        return new Denied("The administrator Secret " + name
                + " cannot be read: allow the service account of the controller to get it.");
    }

    /** @throws Denied if the Secret does not exist or cannot be read */
    Version read(SecretName name) {
        if (name.isEmpty()) {
            return NONE;
        }
        boolean distrusted = rejected.remove(name);
        Optional<ShortWatch<Secret>> watch = current(name);
        if (watch.isPresent() && !distrusted) {
            return version(name, content(watch.get()));
        }
        // Not computeIfAbsent: a slow API server must not block readers of other Secrets.
        @Nullable Read last = reads.get(name);
        if (last == null || distrusted || !isFresh(last)) {
            long now = nanoTime.getAsLong();
            last = new Read(version(name, reader.apply(name)), now);
            reads.put(name, last);
        }
        return last.version();
    }

    private boolean isFresh(Read read) {
        return nanoTime.getAsLong() - read.atNanos() < LONGEST_USE.toNanos();
    }

    /**
     * The Secret as far as it is known. Sends no request itself; what the watch finds is reported to the listeners. While a
     * watch has a problem, the Secret is probably as it was: an unknown one would be taken for an unchanged one, too.
     */
    Optional<Version> known(SecretName name) {
        if (name.isEmpty()) {
            return Optional.of(NONE);
        }
        Optional<ShortWatch<Secret>> listed = watch(name).filter(ShortWatch::synced);
        Optional<Read> since = current(name).isPresent() ? Optional.empty() : Optional.ofNullable(reads.get(name));
        return since.filter(read -> listed.isPresent() || isFresh(read))
                .map(Read::version)
                .or(() -> listed.flatMap(AdministratorSecrets::content).map(AdministratorSecrets::version));
    }

    private static Optional<Secret> content(ShortWatch<Secret> watch) {
        return watch.list().stream().filter(not(ObjectSize::isTooLarge)).findFirst();
    }

    private static boolean showsPart(ShortWatch<Secret> watch) {
        return watch.list().stream().anyMatch(ObjectSize::isTooLarge);
    }

    /** Reads the Secrets whose watch does not show their changes, and reports those that changed. */
    private final class Poll implements PeriodicTask<String> {

        @Override
        public boolean applies(String all) {
            return true;
        }

        @Override
        public Result run(String all) {
            List<String> problems = new ArrayList<>();
            for (SecretName name : watches.keySet()) {
                try {
                    if (current(name).isEmpty()) {
                        reader.apply(name).ifPresent(secret -> found(name, secret));
                    }
                } catch (StoreException e) {
                    problems.add(String.valueOf(e.getMessage()));
                }
            }
            return problems.isEmpty() ? Result.done() : Result.retry(String.join(" ", problems));
        }

        private void found(SecretName name, Secret secret) {
            Optional<String> before = known(name).map(Version::version);
            Version now = version(secret);
            reads.put(name, new Read(now, nanoTime.getAsLong()));
            if (!before.equals(Optional.of(now.version()))) {
                listeners.forEach(listener -> listener.changed(secret, secret));
            }
        }

        @Override
        public void forget(String all) {
            // Nothing is kept.
        }
    }

    void reject(SecretName name) {
        rejected.add(name);
    }

    /**
     * The watch of a Secret if it shows the Secret as it is now; what was read before then does not matter any more. The
     * listeners are called before the first list ends, and those that they wake must see what it contains.
     */
    private Optional<ShortWatch<Secret>> current(SecretName name) {
        Optional<ShortWatch<Secret>> current = watch(name)
                .filter(watch -> watch.problem().isEmpty() && !showsPart(watch))
                .filter(watch -> watch.synced() || content(watch).isPresent());
        current.ifPresent(_ -> reads.remove(name));
        return current;
    }

    /** The watch of a Secret, opened if necessary; empty if nothing is watched. */
    private Optional<ShortWatch<Secret>> watch(SecretName name) {
        @Nullable ObjectCaches source = caches;
        if (source == null) {
            return Optional.empty();
        }
        return Optional.of(watches.computeIfAbsent(
                name,
                _ -> source.watch(
                        Secret.class,
                        Scope.namespace(name.namespace()).named(name.name()),
                        new CacheListener<Secret>() {
                            @Override
                            public void changed(Secret before, Secret after) {
                                keep(name, after);
                                listeners.forEach(listener -> listener.changed(before, after));
                            }

                            @Override
                            public void deleted(Secret last) {
                                listeners.forEach(listener -> listener.deleted(last));
                            }
                        })));
    }

    /** Whom a change wakes must find it. */
    private void keep(SecretName name, Secret shown) {
        try {
            Optional<Secret> whole = ObjectSize.isTooLarge(shown) ? reader.apply(name) : Optional.of(shown);
            whole.ifPresent(secret -> reads.put(name, new Read(version(secret), nanoTime.getAsLong())));
        } catch (StoreException _) {
            // The next poll reads it, and reports the change, or why it cannot be read.
            return;
        }
    }

    private static Version version(SecretName name, Optional<Secret> secret) {
        return secret.map(AdministratorSecrets::version)
                .orElseThrow(() -> new Denied(
                        "The administrator Secret " + name + " does not exist: create it, or correct the class."));
    }

    private static Version version(Secret secret) {
        String version =
                secret.getMetadata().getUid() + "/" + secret.getMetadata().getResourceVersion();
        return new Version(version, new AdministratorSecret(ContentDigest.decode(secret.getData())));
    }

    /** Calls the listener for each change of a Secret that is in use. */
    void listen(CacheListener<? super Secret> listener) {
        listeners.add(listener);
    }

    @Override
    public void close() {
        watches.values().forEach(ShortWatch::close);
    }
}
