@NullMarked
package io.bucketwright.app.bench.http;

import org.jspecify.annotations.NullMarked;
