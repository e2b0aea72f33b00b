/**
 * The one interface to an object store. A caller chooses the ids (a {@link BucketName}, and an {@link BucketOwner} from which
 * the principal is named), asks a {@link BucketStore} to make, grant, delete or revoke, and gets a {@link Connection}
 * and {@link Credentials} that {@link ConnectionData} turns into what an application reads. A {@link StoreFactory} says which
 * parameters its store takes and opens it; {@link Stores} keeps the open ones. What goes wrong is a
 * {@link StoreException}, of one of seven kinds. Nothing here knows Kubernetes or any vendor.
 */
@API(status = API.Status.EXPERIMENTAL, since = "0.1.0")
@NullMarked
package io.bucketwright.store;

import org.apiguardian.api.API;
import org.jspecify.annotations.NullMarked;
