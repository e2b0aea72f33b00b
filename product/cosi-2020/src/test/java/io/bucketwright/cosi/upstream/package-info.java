/** The reference implementation of COSI v0.2.2, built from its Go modules, with our halves in all combinations. */
@NullMarked
package io.bucketwright.cosi.upstream;

import org.jspecify.annotations.NullMarked;
