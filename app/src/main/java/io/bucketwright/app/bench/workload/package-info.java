/** The kinds of objects that a bench creates, and the controllers that provision them. */
@NullMarked
package io.bucketwright.app.bench.workload;

import org.jspecify.annotations.NullMarked;
