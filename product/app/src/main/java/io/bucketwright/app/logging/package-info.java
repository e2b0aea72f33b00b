/**
 * Log configuration: one line per event, as JSON or as text, always to standard error. It is set up when the first
 * logger is created, so that commands that do not log start faster.
 */
@NullMarked
package io.bucketwright.app.logging;

import org.jspecify.annotations.NullMarked;
