/**
 * A real Kubernetes cluster on one machine, for the demo and the tests: etcd, kube-apiserver and
 * kube-controller-manager, optionally an S3 store and a node that runs pods. {@link io.bucketwright.local.LocalCluster}
 * finds or builds the programs, creates certificates, starts the servers on free loopback ports, waits until they are
 * ready, and removes everything at the end. {@link io.bucketwright.local.stores.LocalStore} is the S3 store without a cluster.
 */
@NullMarked
package io.bucketwright.local;

import org.jspecify.annotations.NullMarked;
