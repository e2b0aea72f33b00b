/**
 * Events, as {@code kubectl describe} shows them. Recording does not block: events enter a bounded queue and are written by
 * one thread. If that cannot keep up, or the namespace is being deleted, an event is dropped and counted. An event that
 * happens repeatedly becomes a series that is written less and less often.
 */
@API(status = API.Status.EXPERIMENTAL, since = "0.1.0")
@NullMarked
package io.bucketwright.runtime.events;

import org.apiguardian.api.API;
import org.jspecify.annotations.NullMarked;
