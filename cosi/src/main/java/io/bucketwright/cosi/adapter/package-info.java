/**
 * The adapter of a node: a pod that names a BucketAccessRequest in an inline CSI volume starts when its access is granted,
 * and finds how to reach its bucket as files. kubelet calls it over CSI on a socket and hands it the application's own
 * Secret; of the cluster it reads nothing but BucketAccessRequests and its own CSIDriver. What it has done stands in the
 * node's mounts and nowhere else, so a restart forgets nothing.
 */
@NullMarked
package io.bucketwright.cosi.adapter;

import org.jspecify.annotations.NullMarked;
