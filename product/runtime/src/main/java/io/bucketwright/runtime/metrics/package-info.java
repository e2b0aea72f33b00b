/**
 * Metrics of a process and of its roles: {@code RoleMetrics} has those that every role has, {@code ScrapedGauges} counts what
 * is in caches when somebody reads the metrics, and {@code KeyedGauges} has one row for each object that a controller knows.
 */
@API(status = API.Status.EXPERIMENTAL, since = "0.1.0")
@NullMarked
package io.bucketwright.runtime.metrics;

import org.apiguardian.api.API;
import org.jspecify.annotations.NullMarked;
