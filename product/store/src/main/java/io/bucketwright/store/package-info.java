/**
 * The interface to an object store. A caller chooses the bucket's name and its owner, and asks a
 * {@link io.bucketwright.store.BucketStore} to provision a bucket, grant access to it, delete it or revoke access. A
 * {@link io.bucketwright.store.StoreFactory} opens a store from the parameters of a class;
 * {@link io.bucketwright.store.Stores} caches the open stores. Authors of stores implement {@code BucketStore} and
 * {@code StoreFactory}.
 *
 * <p>The values have packages of their own: {@code access} (who owns a bucket and what a principal may do),
 * {@code ownership} (how a bucket gets another owner),
 * {@code options} (settings of a bucket), {@code connection} (what an application receives), {@code parameters} (what a
 * class configures) and {@code errors}. Nothing here depends on Kubernetes or on a vendor's SDK.
 */
@API(status = API.Status.EXPERIMENTAL, since = "0.1.0")
@NullMarked
package io.bucketwright.store;

import org.apiguardian.api.API;
import org.jspecify.annotations.NullMarked;
