@NullMarked
package io.bucketwright.runtime.cache;

import org.jspecify.annotations.NullMarked;
