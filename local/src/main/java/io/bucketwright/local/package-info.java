@NullMarked
package io.bucketwright.local;

import org.jspecify.annotations.NullMarked;
