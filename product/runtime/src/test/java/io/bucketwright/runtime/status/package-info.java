@NullMarked
package io.bucketwright.runtime.status;

import org.jspecify.annotations.NullMarked;
