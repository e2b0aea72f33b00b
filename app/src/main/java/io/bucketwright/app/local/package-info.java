/** {@code bucketwright local}: a cluster to play with, from the command line. */
@NullMarked
package io.bucketwright.app.local;

import org.jspecify.annotations.NullMarked;
