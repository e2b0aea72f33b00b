@NullMarked
package io.bucketwright.app.bench.report;

import org.jspecify.annotations.NullMarked;
