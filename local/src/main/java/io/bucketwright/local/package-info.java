/**
 * A real Kubernetes on one machine, and real object stores beside it, for the demo and the tests: etcd, kube-apiserver
 * and kube-controller-manager, on demand an S3 store and a node that runs pods. It finds or builds the programs, makes
 * certificates, starts everything on free loopback ports, says when it is ready, and leaves nothing behind.
 */
@NullMarked
package io.bucketwright.local;

import org.jspecify.annotations.NullMarked;
