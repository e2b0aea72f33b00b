/**
 * Events, as {@code kubectl describe} shows them. Recording does not block: events enter a bounded queue and are written by
 * one thread. If that cannot keep up, or the namespace is being deleted, an event is dropped and counted. An event that
 * happens repeatedly becomes a series that is written less and less often.
 */
@NullMarked
package io.bucketwright.runtime.events;

import org.jspecify.annotations.NullMarked;
