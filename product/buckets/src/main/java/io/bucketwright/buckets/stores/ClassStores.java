package io.bucketwright.buckets.stores;

import io.bucketwright.buckets.classes.BucketClass;
import io.bucketwright.buckets.classes.ClassParameters;
import io.bucketwright.buckets.classes.SecretName;
import io.bucketwright.runtime.cache.Source;
import io.bucketwright.store.AdministratorSecret;
import io.bucketwright.store.StoreFactory;
import io.bucketwright.store.Stores;
import io.bucketwright.store.access.BucketName;
import io.bucketwright.store.connection.Connection;
import io.bucketwright.store.errors.StoreException;
import io.bucketwright.store.errors.StoreException.Denied;
import io.bucketwright.store.observation.MeasuredStore;
import io.bucketwright.store.observation.StoreObserver;
import io.bucketwright.store.parameters.ParameterSchema;
import io.bucketwright.store.parameters.Parameters;
import io.fabric8.kubernetes.api.model.Secret;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.BiFunction;

/**
 * Stores of one kind, opened by the parameters of each class.
 *
 * @param observer receives each call to one of them
 * @param schema the parameters of that kind
 * @param parsed parameters that were parsed already: every claim is observed often, and most have the same ones
 */
public record ClassStores(
        Stores stores,
        String kind,
        AdministratorSecrets secrets,
        StoreObserver observer,
        ParameterSchema schema,
        Map<Map<String, String>, Parameters> parsed)
        implements StoreSource {

    private static final int MOST_PARSED = 1_000;

    public ClassStores {
        kind = stores.factory(kind).name();
    }

    public ClassStores(Stores stores, String kind, AdministratorSecrets secrets, StoreObserver observer) {
        this(stores, kind, secrets, observer, stores.factory(kind).parameters(), new ConcurrentHashMap<>());
    }

    /** Stores whose calls nobody observes, for tools. */
    public ClassStores(Stores stores, String kind, AdministratorSecrets secrets) {
        this(stores, kind, secrets, StoreObserver.none());
    }

    @Override
    public ClassStore of(BucketClass bucketClass) {
        if (parsed.size() > MOST_PARSED) {
            parsed.clear();
        }
        Parameters parameters = parsed.computeIfAbsent(
                bucketClass.reference().parameters(), raw -> schema.parse(raw, ClassParameters.names()));
        return new Opened(this, parameters, bucketClass.administrator());
    }

    @Override
    public Set<String> connectionNames() {
        Set<String> names = new HashSet<>(schema.connectionNames());
        names.addAll(ClassParameters.schema().connectionNames());
        return names;
    }

    @Override
    public Map<String, String> known(Map<String, String> recorded) {
        Map<String, String> known = new HashMap<>(recorded);
        Set<String> ofStore = schema.names();
        known.keySet()
                .removeIf(name ->
                        !ofStore.contains(name) && !ClassParameters.names().contains(name));
        return known;
    }

    @Override
    public Source<Secret> administrators() {
        return new Changes(secrets::listen);
    }

    private StoreFactory factory() {
        return stores.factory(kind);
    }

    @Override
    public void close() {
        secrets.close();
        stores.close();
    }

    private record Opened(ClassStores source, Parameters parameters, SecretName administrator) implements ClassStore {

        @Override
        public Object location() {
            return source.factory().location(parameters);
        }

        @Override
        public Optional<Connection> connection(BucketName bucket) {
            try {
                return known().flatMap(secret -> source.factory().connection(parameters, secret.secret(), bucket));
            } catch (StoreException unusableSecret) {
                return Optional.empty();
            }
        }

        @Override
        public boolean isAdministratorKnown() {
            return known().isPresent();
        }

        @Override
        public Map<String, String> implied() {
            return source.factory().implied(parameters);
        }

        @Override
        public Optional<String> issuer() {
            return known().map(AdministratorSecrets.Version::secret)
                    .map(this::issuer)
                    .filter(issuer -> !issuer.isEmpty());
        }

        @Override
        public String administratorVersion() {
            return known().map(AdministratorSecrets.Version::version).orElse("");
        }

        private Optional<AdministratorSecrets.Version> known() {
            return source.secrets.known(administrator);
        }

        private String issuer(AdministratorSecret secret) {
            return source.factory().issuer(parameters, secret);
        }

        @Override
        public <R> R use(BiFunction<MeasuredStore, String, R> call) {
            AdministratorSecrets.Version secret = source.secrets.read(administrator);
            try (Stores.Lease lease = source.stores.lease(
                    source.kind, parameters, administrator.toString(), secret.version(), secret::secret)) {
                MeasuredStore store = new MeasuredStore(source.kind, lease.store(), source.observer);
                return call.apply(store, issuer(secret.secret()));
            } catch (Denied e) {
                // The credentials may have changed in the store and in the Secret: read the Secret again next time.
                source.secrets.reject(administrator);
                throw e;
            }
        }
    }
}
