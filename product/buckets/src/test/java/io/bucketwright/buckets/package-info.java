@NullMarked
package io.bucketwright.buckets;

import org.jspecify.annotations.NullMarked;
