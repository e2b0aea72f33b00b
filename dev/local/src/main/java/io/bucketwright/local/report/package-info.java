/**
 * How a local cluster reports to its user: the progress of steps that take minutes, and failures with a message that
 * commands print as it is.
 */
@NullMarked
package io.bucketwright.local.report;

import org.jspecify.annotations.NullMarked;
