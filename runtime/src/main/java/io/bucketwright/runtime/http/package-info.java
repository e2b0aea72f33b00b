/**
 * Liveness, readiness and metrics endpoints, on the small HTTP server of the JDK.
 */
@NullMarked
package io.bucketwright.runtime.http;

import org.jspecify.annotations.NullMarked;
