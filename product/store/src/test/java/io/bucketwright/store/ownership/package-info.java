/** Tests of the rules by which a bucket gets an owner. */
@NullMarked
package io.bucketwright.store.ownership;

import org.jspecify.annotations.NullMarked;
