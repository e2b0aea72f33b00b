@NullMarked
package io.bucketwright.app.bench.measure;

import org.jspecify.annotations.NullMarked;
