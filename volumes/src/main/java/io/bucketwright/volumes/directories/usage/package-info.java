/**
 * How much each volume holds and how much room each root has, as metrics. One look at a time, short, spread over the
 * interval, on the threads that long steps have anyway: measuring never competes with making. It costs the API server
 * nothing.
 */
@NullMarked
package io.bucketwright.volumes.directories.usage;

import org.jspecify.annotations.NullMarked;
