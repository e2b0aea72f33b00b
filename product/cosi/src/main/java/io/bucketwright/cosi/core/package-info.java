/**
 * What every COSI API has in common: the bucket in the store, and its grants. Pure decisions, and the loops that carry
 * them out; an API binds its objects to them. Knows orders and answers of the driver, and no kind of an API.
 */
@API(status = API.Status.INTERNAL)
@NullMarked
package io.bucketwright.cosi.core;

import org.apiguardian.api.API;
import org.jspecify.annotations.NullMarked;
