@NullMarked
package io.bucketwright.runtime.engine;

import org.jspecify.annotations.NullMarked;
