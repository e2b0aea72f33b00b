/** Stub drivers that behave as the drivers of vendors are described, and the tests that run against all of them. */
@NullMarked
package io.bucketwright.cosi.vendors;

import org.jspecify.annotations.NullMarked;
