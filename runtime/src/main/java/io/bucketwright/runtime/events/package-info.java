/**
 * What people see in {@code kubectl describe}. Recording an event costs a worker nothing: it is put into a bounded queue and
 * written by one thread, and if that cannot keep up, or the namespace is going away, it is dropped and counted. What happens
 * again and again becomes a series that is written ever more seldom, so that no storm of events becomes a storm of writes.
 */
@NullMarked
package io.bucketwright.runtime.events;

import org.jspecify.annotations.NullMarked;
