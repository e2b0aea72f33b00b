@NullMarked
package io.bucketwright.buckets.objects;

import org.jspecify.annotations.NullMarked;
