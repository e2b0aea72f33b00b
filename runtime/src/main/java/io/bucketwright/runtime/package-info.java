/**
 * The library that every Bucketwright controller runs on, and the few types that all its parts share.
 *
 * <p>An informer reports that an object changed, and identifies it by an {@link io.bucketwright.runtime.ObjectKey}; the work queue
 * gives that key to one worker at a time; the worker observes, decides and acts until nothing is left to do, and only while
 * its {@link io.bucketwright.runtime.Leadership} lasts. Time is an argument ({@link io.bucketwright.runtime.TimeSource}), so
 * that every rule about waiting can be tested without waiting.
 */
@NullMarked
package io.bucketwright.runtime;

import org.jspecify.annotations.NullMarked;
