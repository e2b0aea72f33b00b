/** Runs the phases of a bench: a controller or the ceiling, under the same load, measured in the same way. */
@NullMarked
package io.bucketwright.bench.run;

import org.jspecify.annotations.NullMarked;
