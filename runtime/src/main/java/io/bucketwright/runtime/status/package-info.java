/** The conditions that controllers write into the status of custom resources. */
@NullMarked
package io.bucketwright.runtime.status;

import org.jspecify.annotations.NullMarked;
