/**
 * Which key is worked on next. Events enter at once, only errors wait; a key is never in two hands, and what happens to it
 * while it is in work brings it back exactly once. These are the semantics of client-go's work queue, with one addition:
 * when a key is taken, its pending delay is dropped, because the work that begins now decides anew when to come back.
 */
@NullMarked
package io.bucketwright.runtime.queue;

import org.jspecify.annotations.NullMarked;
