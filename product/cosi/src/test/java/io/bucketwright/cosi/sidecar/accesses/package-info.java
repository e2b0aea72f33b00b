@NullMarked
package io.bucketwright.cosi.sidecar.accesses;

import org.jspecify.annotations.NullMarked;
