/**
 * The sidecar of a driver: the part of a provisioner that knows Kubernetes, so that the driver need not. It watches the
 * Buckets and BucketAccesses of one provisioner and no other, asks the driver over a socket, and writes down what came of
 * it: where a bucket is in its {@code spec.protocol}, credentials in a Secret of the provisioner's own namespace, and why
 * something does not go on where people look for it. Two controllers, one for each kind, each an observation, a decision and
 * steps; what a driver answered lives in memory until it is written, and a crash merely asks again.
 */
@NullMarked
package io.bucketwright.cosi.sidecar;

import org.jspecify.annotations.NullMarked;
