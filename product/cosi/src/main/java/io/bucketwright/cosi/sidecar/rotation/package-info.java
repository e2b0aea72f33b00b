/**
 * The parts of credential rotation that do not depend on the API: when a rotation is due, and which accounts of an access must
 * be revoked later. The sidecar uses it for {@code cosi.io} and for {@code objectstorage.k8s.io}.
 */
@API(status = API.Status.INTERNAL)
@NullMarked
package io.bucketwright.cosi.sidecar.rotation;

import org.apiguardian.api.API;
import org.jspecify.annotations.NullMarked;
