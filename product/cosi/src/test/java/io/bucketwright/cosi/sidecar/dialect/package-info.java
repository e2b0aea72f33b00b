@NullMarked
package io.bucketwright.cosi.sidecar.dialect;

import org.jspecify.annotations.NullMarked;
