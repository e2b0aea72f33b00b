@NullMarked
package io.bucketwright.cosi.wire;

import org.jspecify.annotations.NullMarked;
