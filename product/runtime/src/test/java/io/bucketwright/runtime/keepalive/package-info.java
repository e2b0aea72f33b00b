@NullMarked
package io.bucketwright.runtime.keepalive;

import org.jspecify.annotations.NullMarked;
