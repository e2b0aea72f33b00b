@NullMarked
package io.bucketwright.bench.report;

import org.jspecify.annotations.NullMarked;
