@NullMarked
package io.bucketwright.runtime.metrics;

import org.jspecify.annotations.NullMarked;
