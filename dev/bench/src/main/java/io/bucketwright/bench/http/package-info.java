/**
 * A plain HTTP client for the API server. It costs little, so that a bench on a small machine measures the controllers
 * and not itself: one blocking connection per thread, HTTP/1.1, bodies as text.
 */
@NullMarked
package io.bucketwright.bench.http;

import org.jspecify.annotations.NullMarked;
