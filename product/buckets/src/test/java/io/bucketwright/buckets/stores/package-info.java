/** Tests of the package of the same name. */
@NullMarked
package io.bucketwright.buckets.stores;

import org.jspecify.annotations.NullMarked;
