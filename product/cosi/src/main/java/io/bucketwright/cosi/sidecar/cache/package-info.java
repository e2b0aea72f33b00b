/**
 * What the sidecar reads from the API server: the Buckets, BucketAccesses and credential Secrets of its provisioner, and the
 * provisioner secrets that are sent to the driver. Everything comes from watches; nothing here writes.
 */
@API(status = API.Status.INTERNAL)
@NullMarked
package io.bucketwright.cosi.sidecar.cache;

import org.apiguardian.api.API;
import org.jspecify.annotations.NullMarked;
