@NullMarked
package io.bucketwright.runtime.testing;

import org.jspecify.annotations.NullMarked;
