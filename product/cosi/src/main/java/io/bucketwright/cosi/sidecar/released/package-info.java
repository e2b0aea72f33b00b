/**
 * The sidecar's controllers for the released kinds, {@code objectstorage.k8s.io/v1alpha1}. They call the same port to the
 * driver as those for {@code cosi.io}, but record the answers as the reference implementation does, so that its controller
 * can be the other half: ids and readiness in the status, credentials in a Secret of the user. The kinds have no conditions,
 * so problems are events. Roles of vendors allow neither patches nor a watch of Secrets: objects are replaced as a whole, and
 * a Secret is read only after a crash or for a deletion.
 */
@API(status = API.Status.EXPERIMENTAL, since = "0.1.0")
@NullMarked
package io.bucketwright.cosi.sidecar.released;

import org.apiguardian.api.API;
import org.jspecify.annotations.NullMarked;
