/**
 * Does a COSI driver, anybody's, keep its word? {@link io.bucketwright.cosi.sanity.Sanity} calls it over its socket as a
 * sidecar would, and as a sidecar that was killed and started again would: everything twice, at once, with wrong
 * arguments, with names that nobody should have to expect. Each {@link io.bucketwright.cosi.sanity.SanityCheck} asks one thing
 * and can fail for one reason. What the suite makes, it removes.
 */
@NullMarked
package io.bucketwright.cosi.sanity;

import org.jspecify.annotations.NullMarked;
