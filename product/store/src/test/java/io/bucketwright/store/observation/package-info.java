/** Tests of the observation of calls to stores. */
@NullMarked
package io.bucketwright.store.observation;

import org.jspecify.annotations.NullMarked;
