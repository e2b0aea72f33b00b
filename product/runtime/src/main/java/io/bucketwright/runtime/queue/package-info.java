/**
 * The work queue. Events add a key at once, only errors are delayed; a key is never reconciled by two workers, and an event
 * that arrives meanwhile adds it once more. These are the semantics of client-go's work queue, with two additions: when a key
 * is taken, its pending delay is dropped, because reconciling decides again when to requeue it; and tenants take turns, so
 * that the claims of one namespace do not wait for all claims of another.
 */
@API(status = API.Status.EXPERIMENTAL, since = "0.1.0")
@NullMarked
package io.bucketwright.runtime.queue;

import org.apiguardian.api.API;
import org.jspecify.annotations.NullMarked;
