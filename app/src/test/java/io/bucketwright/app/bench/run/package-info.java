@NullMarked
package io.bucketwright.app.bench.run;

import org.jspecify.annotations.NullMarked;
