@NullMarked
package io.bucketwright.buckets.adoption;

import org.jspecify.annotations.NullMarked;
