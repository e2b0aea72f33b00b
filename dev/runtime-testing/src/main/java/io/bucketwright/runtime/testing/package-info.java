/**
 * Runs real controllers without a cluster, in the calling thread and with faults, for model tests.
 *
 * <p>{@link io.bucketwright.runtime.testing.InMemoryApiServer} is the cluster; the test creates, edits and deletes objects
 * there as users do. {@link io.bucketwright.runtime.testing.InMemoryProcess} is one controller process connected to it:
 * register the real controllers with its context, then let it run. Its caches show a change only when the test delivers it,
 * and a request or its response can be lost. Time and leadership change only by calls of the test.
 */
@API(status = API.Status.EXPERIMENTAL, since = "0.1.0")
@NullMarked
package io.bucketwright.runtime.testing;

import org.apiguardian.api.API;
import org.jspecify.annotations.NullMarked;
