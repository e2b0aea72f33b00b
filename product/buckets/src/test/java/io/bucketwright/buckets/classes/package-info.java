@NullMarked
package io.bucketwright.buckets.classes;

import org.jspecify.annotations.NullMarked;
