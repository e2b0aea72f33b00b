/**
 * Measures how much data each bound bucket holds and publishes it as metrics. Optional, and independent of the claim
 * controller.
 */
@API(status = API.Status.INTERNAL)
@NullMarked
package io.bucketwright.buckets.usage;

import org.apiguardian.api.API;
import org.jspecify.annotations.NullMarked;
