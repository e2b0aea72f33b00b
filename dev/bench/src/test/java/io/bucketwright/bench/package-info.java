@NullMarked
package io.bucketwright.bench;

import org.jspecify.annotations.NullMarked;
