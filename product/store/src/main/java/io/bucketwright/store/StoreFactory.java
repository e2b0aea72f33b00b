package io.bucketwright.store;

import io.bucketwright.store.access.BucketName;
import io.bucketwright.store.connection.Connection;
import io.bucketwright.store.errors.StoreException;
import io.bucketwright.store.parameters.ParameterSchema;
import io.bucketwright.store.parameters.Parameters;
import java.util.Map;
import java.util.Optional;

/** Opens stores of one kind. Registered for {@link java.util.ServiceLoader} in {@code META-INF/services}. */
public interface StoreFactory {

    /** The name of this kind on the command line and in the documentation: short and in lower case. */
    String name();

    /**
     * The protocol that applications use with such a store, as COSI spells it: {@code s3}, {@code azureBlob} or {@code gcs}.
     *
     * @param parameters of the driver, not validated
     */
    default String protocol(Map<String, String> parameters) {
        return "s3";
    }

    /** The defaults of a COSI driver that differ from those of a class, so that applications get the store's own protocol. */
    default Map<String, String> protocolParameters() {
        return Map.of();
    }

    /** The parameters that a class can or must set for such a store. */
    ParameterSchema parameters();

    /**
     * Opens a store without sending a request.
     *
     * @param parameters validated by {@link #parameters()}
     * @throws StoreException.Invalid if parameters contradict each other
     * @throws StoreException.Denied if a credential is missing
     */
    BucketStore open(Parameters parameters, AdministratorSecret administrator);

    /**
     * Where the buckets are: equal for classes in which one bucket name means one bucket. By default, equal parameters.
     *
     * @param parameters validated by {@link #parameters()}
     */
    default Object location(Parameters parameters) {
        return parameters;
    }

    /**
     * How applications connect to a bucket of the store; empty if only the store can tell. Sends no request. Bound claims
     * follow a change of connection parameters ({@link io.bucketwright.store.parameters.Parameter#connection}) only if this
     * tells.
     *
     * @param parameters validated by {@link #parameters()}
     * @throws StoreException if the administrator's Secret cannot be used
     */
    default Optional<Connection> connection(
            Parameters parameters, AdministratorSecret administrator, BucketName bucket) {
        return Optional.empty();
    }

    /**
     * Parameters that the class does not set, with the values that they have because of those that only say how the store is
     * reached. A bound bucket keeps these values when the latter change. Sends no request.
     *
     * @param parameters validated by {@link #parameters()}
     */
    default Map<String, String> implied(Parameters parameters) {
        return Map.of();
    }

    /**
     * Identifies the key in the administrator's Secret that the credentials of applications are made of, by a digest: when
     * the key changes, they are issued again. Empty if the store issues keys that do not depend on the administrator's.
     *
     * @param parameters validated by {@link #parameters()}
     */
    default String issuer(Parameters parameters, AdministratorSecret administrator) {
        return "";
    }
}
