@NullMarked
package io.bucketwright.app;

import org.jspecify.annotations.NullMarked;
