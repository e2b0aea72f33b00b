@NullMarked
package io.bucketwright.testing;

import org.jspecify.annotations.NullMarked;
