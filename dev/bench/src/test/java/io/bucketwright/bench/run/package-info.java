@NullMarked
package io.bucketwright.bench.run;

import org.jspecify.annotations.NullMarked;
