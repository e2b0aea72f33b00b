/**
 * What every COSI API has in common: the grants of a bucket, and the loop that issues, publishes and revokes them. Knows
 * orders and answers of the driver, and no kind of an API.
 */
@API(status = API.Status.INTERNAL)
@NullMarked
package io.bucketwright.cosi.core;

import org.apiguardian.api.API;
import org.jspecify.annotations.NullMarked;
