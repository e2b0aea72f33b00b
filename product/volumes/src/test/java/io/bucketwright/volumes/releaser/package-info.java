@NullMarked
package io.bucketwright.volumes.releaser;

import org.jspecify.annotations.NullMarked;
