/**
 * {@code bucketwright cosi}: controller, sidecar, driver, adapter and conformance tests. The command classes do not refer
 * to gRPC, so that all other commands start without it; what they run is in separate classes.
 */
@NullMarked
package io.bucketwright.app.cosi;

import org.jspecify.annotations.NullMarked;
