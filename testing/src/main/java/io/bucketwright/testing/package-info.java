/**
 * What a test needs to face a real Kubernetes: a JUnit extension that shares one cluster among the tests of a JVM and
 * gives each a namespace and API users of its own, a count of what such a user asked of the API server, taken from the
 * server's own audit log, and a client that dies on its N-th request, before or after it took effect.
 */
@NullMarked
package io.bucketwright.testing;

import org.jspecify.annotations.NullMarked;
