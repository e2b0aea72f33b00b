/**
 * Tests against a real Kubernetes cluster: a JUnit extension that shares one cluster among the tests of a JVM and gives
 * each its own namespace and API users ({@link io.bucketwright.testing.OnCluster}), counts of the requests of such a user,
 * taken from the audit log of the API server, and a client that crashes at its N-th request, before or after the server
 * executed it ({@link io.bucketwright.testing.CrashLoop}).
 */
@NullMarked
package io.bucketwright.testing;

import org.jspecify.annotations.NullMarked;
