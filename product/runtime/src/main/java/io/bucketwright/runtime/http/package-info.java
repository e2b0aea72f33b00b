/**
 * Liveness, readiness and metrics endpoints, on a small HTTP server that bounds what each client can use.
 */
@API(status = API.Status.EXPERIMENTAL, since = "0.1.0")
@NullMarked
package io.bucketwright.runtime.http;

import org.apiguardian.api.API;
import org.jspecify.annotations.NullMarked;
