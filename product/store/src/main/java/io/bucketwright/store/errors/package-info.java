/**
 * The errors of a store. A store throws only {@link io.bucketwright.store.errors.StoreException}, in one of seven kinds;
 * each kind names the {@link io.bucketwright.store.errors.Retry} behaviour that its callers use. Messages are shown to the
 * owners of claims, so they quote user input through {@link io.bucketwright.store.errors.InputText}.
 */
@API(status = API.Status.EXPERIMENTAL, since = "0.1.0")
@NullMarked
package io.bucketwright.store.errors;

import org.apiguardian.api.API;
import org.jspecify.annotations.NullMarked;
