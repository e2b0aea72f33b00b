@NullMarked
package io.bucketwright.buckets.requests;

import org.jspecify.annotations.NullMarked;
