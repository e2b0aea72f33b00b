/**
 * A store that creates nothing and responds at once, for load tests and dry runs. It keeps ownership, principals and key ids
 * in memory, so that it fulfils the contract of every store except for objects.
 */
@API(status = API.Status.INTERNAL)
@NullMarked
package io.bucketwright.store.none;

import org.apiguardian.api.API;
import org.jspecify.annotations.NullMarked;
