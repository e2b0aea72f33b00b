package io.bucketwright.store;

import io.bucketwright.store.connection.StoreProtocol;
import io.bucketwright.store.errors.StoreException;
import io.bucketwright.store.parameters.ParameterSchema;
import io.bucketwright.store.parameters.Parameters;

/** Opens stores of one kind. Registered for {@link java.util.ServiceLoader} in {@code META-INF/services}. */
public interface StoreFactory {

    /** The name of this kind on the command line and in the documentation: short and in lower case. */
    String name();

    /** The protocol that applications use with such a store. */
    default StoreProtocol protocol() {
        return StoreProtocol.S3;
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
}
