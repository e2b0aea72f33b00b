/**
 * Notices connections to the API server that are lost without having been closed: watches are pinged, a body that stops in the
 * middle is given up, and {@link io.bucketwright.runtime.keepalive.ServerActivity} knows when the server was last heard.
 */
@NullMarked
package io.bucketwright.runtime.keepalive;

import org.jspecify.annotations.NullMarked;
