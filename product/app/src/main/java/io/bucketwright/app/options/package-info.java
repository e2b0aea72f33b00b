/**
 * Flags that several commands share, each declared once as a picocli mixin, and the converters for their values:
 * durations ({@code 15s}, {@code 2m}, {@code 1h30m}), addresses ({@code HOST:PORT}) and positive numbers.
 */
@NullMarked
package io.bucketwright.app.options;

import org.jspecify.annotations.NullMarked;
