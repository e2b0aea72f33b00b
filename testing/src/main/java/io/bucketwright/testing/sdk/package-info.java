/** The vendors' own SDKs, as applications use them. */
@NullMarked
package io.bucketwright.testing.sdk;

import org.jspecify.annotations.NullMarked;
