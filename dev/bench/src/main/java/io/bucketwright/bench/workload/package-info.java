/** The kinds of objects that a bench creates, and the controllers that provision them. */
@NullMarked
package io.bucketwright.bench.workload;

import org.jspecify.annotations.NullMarked;
