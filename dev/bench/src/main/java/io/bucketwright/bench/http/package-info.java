/**
 * The API server for the bench: requests with bodies as text, and watches. It costs little, so that a bench on a small machine
 * measures the controllers and not itself: below is the blocking HTTP client that the controllers use.
 */
@NullMarked
package io.bucketwright.bench.http;

import org.jspecify.annotations.NullMarked;
