@NullMarked
package io.bucketwright.cosi.sidecar;

import org.jspecify.annotations.NullMarked;
