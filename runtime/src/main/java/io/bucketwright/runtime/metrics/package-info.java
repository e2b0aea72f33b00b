/** Metrics with one row for each object that a controller knows. */
@NullMarked
package io.bucketwright.runtime.metrics;

import org.jspecify.annotations.NullMarked;
