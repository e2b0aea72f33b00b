/**
 * The parameters of a class. A {@link io.bucketwright.store.parameters.ParameterSchema} lists the parameters that a store
 * accepts, validates the ones of a class, and generates their documentation.
 */
@API(status = API.Status.EXPERIMENTAL, since = "0.1.0")
@NullMarked
package io.bucketwright.store.parameters;

import org.apiguardian.api.API;
import org.jspecify.annotations.NullMarked;
