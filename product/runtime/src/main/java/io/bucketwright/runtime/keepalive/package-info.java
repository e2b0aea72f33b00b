/**
 * Notices connections to the API server that are lost without having been closed: {@link
 * io.bucketwright.runtime.keepalive.ConnectionMonitor} has watches pinged and idle connections closed, and {@link
 * io.bucketwright.runtime.keepalive.ServerActivity} knows when the server was last heard.
 */
@API(status = API.Status.INTERNAL)
@NullMarked
package io.bucketwright.runtime.keepalive;

import org.apiguardian.api.API;
import org.jspecify.annotations.NullMarked;
