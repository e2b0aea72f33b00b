/**
 * The {@code bucketwright} command: the only place that knows every part, and wires them by constructors. Commands are
 * thin; they parse, assemble, and turn failures into one sentence and an exit code: 0 done, 1 failed, 2 asked wrongly.
 */
@NullMarked
package io.bucketwright.app;

import org.jspecify.annotations.NullMarked;
