@NullMarked
package io.bucketwright.runtime.queue;

import org.jspecify.annotations.NullMarked;
