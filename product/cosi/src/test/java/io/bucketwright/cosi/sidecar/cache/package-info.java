@NullMarked
package io.bucketwright.cosi.sidecar.cache;

import org.jspecify.annotations.NullMarked;
