@NullMarked
package io.bucketwright.bench.http;

import org.jspecify.annotations.NullMarked;
