/**
 * How the processes log: one line of JSON for each event for machines, or one readable line for people, always to
 * standard error. Set up when the first logger is asked for, so that commands that log nothing pay nothing.
 */
@NullMarked
package io.bucketwright.app.logging;

import org.jspecify.annotations.NullMarked;
