/**
 * The node adapter: a CSI driver for inline volumes. A pod that names a BucketAccessRequest in such a volume starts when access
 * is granted, and reads the connection data and credentials of its bucket from files. The kubelet calls the adapter over a
 * UNIX socket and sends it the content of the application's Secret. From the API server the adapter reads
 * BucketAccessRequests, BucketAccesses, Pods and its own CSIDriver. Its only state is the mounts of the node, so it can be
 * restarted at any time.
 */
@API(status = API.Status.EXPERIMENTAL, since = "0.1.0")
@NullMarked
package io.bucketwright.cosi.adapter;

import org.apiguardian.api.API;
import org.jspecify.annotations.NullMarked;
