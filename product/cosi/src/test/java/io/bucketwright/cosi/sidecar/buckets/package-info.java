@NullMarked
package io.bucketwright.cosi.sidecar.buckets;

import org.jspecify.annotations.NullMarked;
