/** The kinds of v1alpha2: controller and sidecar together, on a server in memory. */
@NullMarked
package io.bucketwright.cosi.v1alpha2;

import org.jspecify.annotations.NullMarked;
