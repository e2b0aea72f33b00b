@NullMarked
package io.bucketwright.runtime;

import org.jspecify.annotations.NullMarked;
