/**
 * {@code bucketwright demo}: starts a cluster, a store and controllers, provisions buckets and a volume, uses and deletes
 * them, and prints each step.
 */
@NullMarked
package io.bucketwright.devtools.demo;

import org.jspecify.annotations.NullMarked;
