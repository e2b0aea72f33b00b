/** The kinds of COSI on a real API server, and the words in them. */
@NullMarked
package io.bucketwright.api.cosi;

import org.jspecify.annotations.NullMarked;
