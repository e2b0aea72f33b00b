@NullMarked
package io.bucketwright.bench.measure;

import org.jspecify.annotations.NullMarked;
