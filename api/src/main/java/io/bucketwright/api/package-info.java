@NullMarked
package io.bucketwright.api;

import org.jspecify.annotations.NullMarked;
