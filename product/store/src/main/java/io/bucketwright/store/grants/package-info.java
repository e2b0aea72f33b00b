/**
 * The ledger of a bucket: which credentials were issued for it, for whom, and where they are published. A controller writes
 * it before it calls a store or a driver, in an object that tenants cannot edit, and revokes what the ledger has and nobody
 * is entitled to. It contains ids and never a secret.
 */
@API(status = API.Status.EXPERIMENTAL, since = "0.1.0")
@NullMarked
package io.bucketwright.store.grants;

import org.apiguardian.api.API;
import org.jspecify.annotations.NullMarked;
