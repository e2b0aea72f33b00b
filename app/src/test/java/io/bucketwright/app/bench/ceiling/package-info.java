@NullMarked
package io.bucketwright.app.bench.ceiling;

import org.jspecify.annotations.NullMarked;
