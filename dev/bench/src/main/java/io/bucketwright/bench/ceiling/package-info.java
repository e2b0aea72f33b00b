/**
 * The ceiling: how fast the API server accepts the writes that an object needs. The writes of a controller for one sample
 * object are recorded from the audit log, with their bodies; a process without watches, caches and decisions then repeats
 * them for other objects.
 */
@NullMarked
package io.bucketwright.bench.ceiling;

import org.jspecify.annotations.NullMarked;
