/** {@code bucketwright local}: starts, shows and stops a local cluster for demos and tests. */
@NullMarked
package io.bucketwright.devtools.local;

import org.jspecify.annotations.NullMarked;
