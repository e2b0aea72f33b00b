/**
 * {@code bucketwright cosi-driver} and {@code bucketwright cosi}. The commands themselves name nothing of gRPC, so that
 * every other command starts without it; what they run is in classes of its own.
 */
@NullMarked
package io.bucketwright.app.cosi;

import org.jspecify.annotations.NullMarked;
