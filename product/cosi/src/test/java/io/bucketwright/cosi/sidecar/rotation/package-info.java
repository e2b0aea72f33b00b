/** Tests of the rotation of credentials. */
@NullMarked
package io.bucketwright.cosi.sidecar.rotation;

import org.jspecify.annotations.NullMarked;
