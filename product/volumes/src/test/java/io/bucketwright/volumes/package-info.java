@NullMarked
package io.bucketwright.volumes;

import org.jspecify.annotations.NullMarked;
