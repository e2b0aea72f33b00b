@NullMarked
package io.bucketwright.runtime.leader;

import org.jspecify.annotations.NullMarked;
