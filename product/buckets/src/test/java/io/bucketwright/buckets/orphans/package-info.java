@NullMarked
package io.bucketwright.buckets.orphans;

import org.jspecify.annotations.NullMarked;
