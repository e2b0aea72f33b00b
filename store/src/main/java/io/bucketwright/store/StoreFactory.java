package io.bucketwright.store;

import io.bucketwright.store.parameters.ParameterSchema;

import io.bucketwright.store.parameters.Parameters;

import io.bucketwright.store.errors.StoreException;

/** A kind of store. Found by {@link java.util.ServiceLoader}: name the class in {@code META-INF/services}. */
public interface StoreFactory {

    /** What the kind is called on the command line and in documents: a short word in lower case. */
    String name();

    /** What a class must or may say about such a store. */
    ParameterSchema parameters();

    /**
     * Opens a store. Sends nothing: whether it answers shows at the first call.
     *
     * @param parameters checked by {@link #parameters()}
     * @throws StoreException.Invalid if parameters do not go together
     * @throws StoreException.Denied if a credential is missing
     */
    BucketStore open(Parameters parameters, AdministratorSecret administrator);
}
