@NullMarked
package io.bucketwright.buckets.claims;

import org.jspecify.annotations.NullMarked;
