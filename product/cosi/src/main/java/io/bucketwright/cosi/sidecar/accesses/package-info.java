/**
 * The sidecar's controller for BucketAccesses. It asks the driver to grant access and stores the credentials in a Secret in
 * the provisioner's namespace, rotates them on request, restores a deleted Secret, and revokes the access before the
 * BucketAccess is deleted. {@code SidecarAccessDecision} holds the rules.
 */
@API(status = API.Status.INTERNAL)
@NullMarked
package io.bucketwright.cosi.sidecar.accesses;

import org.apiguardian.api.API;
import org.jspecify.annotations.NullMarked;
