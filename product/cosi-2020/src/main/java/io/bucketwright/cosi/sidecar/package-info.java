/**
 * The sidecar of a COSI driver: the part of a provisioner that talks to Kubernetes, so that the driver does not have to.
 * {@link io.bucketwright.cosi.sidecar.CosiSidecar} watches the Buckets and BucketAccesses of one provisioner, calls the
 * driver over a UNIX socket, and writes the results: connection data to {@code spec.protocol} of the Bucket, credentials to
 * a Secret in the provisioner's namespace, problems to conditions and events. There is one controller for each kind;
 * {@code SidecarBucketDecision} and {@code SidecarAccessDecision} hold the rules, and {@code driver} has the connection to
 * the driver. Answers of the driver are kept in memory until they are written; after a crash the sidecar repeats the call.
 */
@API(status = API.Status.EXPERIMENTAL, since = "0.1.0")
@NullMarked
package io.bucketwright.cosi.sidecar;

import org.apiguardian.api.API;
import org.jspecify.annotations.NullMarked;
