/**
 * The rotation of credentials, as far as it does not depend on the API: when a rotation is due, and which accounts of an
 * access must be revoked later. Both bindings of the sidecar use it.
 */
@NullMarked
package io.bucketwright.cosi.sidecar.rotation;

import org.jspecify.annotations.NullMarked;
