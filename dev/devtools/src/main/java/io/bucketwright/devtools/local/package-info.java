/**
 * {@code bucketwright local}: starts, shows and stops a local cluster for demos and tests; and what every command that uses it
 * has in common.
 */
@NullMarked
package io.bucketwright.devtools.local;

import org.jspecify.annotations.NullMarked;
