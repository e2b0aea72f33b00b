/** Hostile objects of tenants, beside honest ones, in all controllers at once. */
@NullMarked
package io.bucketwright.app.fuzz;

import org.jspecify.annotations.NullMarked;
