/**
 * The {@code bucketwright} command line. This module is the only one that depends on all others. Commands parse flags,
 * call the public builders of the other modules, and report errors as one line with an exit code: 0 success, 1 the command
 * failed, 2 the command line is not valid.
 */
@NullMarked
package io.bucketwright.app;

import org.jspecify.annotations.NullMarked;
