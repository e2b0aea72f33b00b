@NullMarked
package io.bucketwright.volumes.podclaims;

import org.jspecify.annotations.NullMarked;
