@NullMarked
package io.bucketwright.bench.ceiling;

import org.jspecify.annotations.NullMarked;
