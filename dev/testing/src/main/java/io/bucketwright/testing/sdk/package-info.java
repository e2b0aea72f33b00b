/** Programs and clients that use a store as applications do, such as those with the SDKs of vendors. */
@NullMarked
package io.bucketwright.testing.sdk;

import org.jspecify.annotations.NullMarked;
