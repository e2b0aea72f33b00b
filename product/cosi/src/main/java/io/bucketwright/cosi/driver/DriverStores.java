package io.bucketwright.cosi.driver;

import io.bucketwright.store.AdministratorSecret;
import io.bucketwright.store.Stores;
import io.bucketwright.store.connection.SecretValue;
import io.bucketwright.store.errors.InputText;
import io.bucketwright.store.errors.StoreException.Invalid;
import io.bucketwright.store.observation.MeasuredStore;
import io.bucketwright.store.observation.StoreObserver;
import io.bucketwright.store.options.BucketOptions;
import io.bucketwright.store.parameters.Parameter;
import io.bucketwright.store.parameters.Parameters;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.Function;
import java.util.stream.Collectors;

/** Opens the store of a call: with its parameters, and with the credentials of the request or else of the driver. */
final class DriverStores implements AutoCloseable {

    private final Stores stores;
    private final String kind;
    private final DriverCredentials own;
    private final StoreObserver observer;

    DriverStores(Stores stores, String kind, DriverCredentials own, StoreObserver observer) {
        this.stores = stores;
        this.kind = stores.factory(kind).name();
        this.own = own;
        this.observer = observer;
    }

    /** The names of all parameters of the store. */
    Set<String> parameterNames() {
        return stores.factory(kind).parameters().names();
    }

    /**
     * Checks the parameters of the driver. A request may add others.
     *
     * @throws Invalid if a parameter is unknown, has a bad value, or is the caller's
     */
    void check(Map<String, String> given) {
        CallParameters parameters = CallParameters.of(CallParameters.ofAClass(given), Map.of());
        BucketOptions.parse(parameters.options());
        Map<String, Parameter> known = stores.factory(kind).parameters().all().stream()
                .collect(Collectors.toMap(Parameter::name, parameter -> parameter));
        parameters.store().forEach((name, value) -> {
            if (!known.containsKey(name)) {
                throw new Invalid("parameter " + InputText.quote(name) + " is unknown; valid are the options of buckets"
                        + " and " + new TreeSet<>(known.keySet()));
            }
            known.get(name).check().accept(value);
        });
    }

    /** Asks something of the store. */
    <R> R with(CallParameters given, Map<String, String> secrets, Function<MeasuredStore, R> use) {
        Parameters parameters = stores.factory(kind).parameters().parse(given.store());
        AdministratorSecret administrator = secrets.isEmpty() ? own.read() : secret(secrets);
        String version = administrator.digest(
                administrator.data().keySet().stream().sorted().toArray(String[]::new));
        // Another version of the driver's own replaces the older one. Those of requests do not replace each other: each
        // class may bring its own, and they take turns.
        String identity = secrets.isEmpty() ? "driver" : version;
        try (Stores.Lease lease = stores.lease(kind, parameters, identity, version, () -> administrator)) {
            return use.apply(new MeasuredStore(kind, lease.store(), observer));
        }
    }

    @Override
    public void close() {
        stores.close();
    }

    private static AdministratorSecret secret(Map<String, String> secrets) {
        return new AdministratorSecret(secrets.entrySet().stream()
                .collect(Collectors.toMap(Map.Entry::getKey, entry -> SecretValue.of(entry.getValue()))));
    }
}
