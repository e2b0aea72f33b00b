/** The cluster, the users and the processes of a bench. All of them are removed at its end, also if it is interrupted. */
@NullMarked
package io.bucketwright.bench.cluster;

import org.jspecify.annotations.NullMarked;
