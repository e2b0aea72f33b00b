/**
 * What a store returns for an application. A {@link io.bucketwright.store.connection.ProvisionedBucket} has the
 * {@link io.bucketwright.store.connection.Connection} to the bucket and the principal's
 * {@link io.bucketwright.store.connection.Credentials}. {@link io.bucketwright.store.connection.ConnectionData} converts it to
 * the keys and values of a ConfigMap and a Secret, the same for every way in which an application can ask for a bucket.
 */
@API(status = API.Status.EXPERIMENTAL, since = "0.1.0")
@NullMarked
package io.bucketwright.store.connection;

import org.apiguardian.api.API;
import org.jspecify.annotations.NullMarked;
