/** Tests of the sidecar for released kinds. */
@NullMarked
package io.bucketwright.cosi.sidecar.released;

import org.jspecify.annotations.NullMarked;
