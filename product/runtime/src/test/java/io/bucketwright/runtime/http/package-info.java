@NullMarked
package io.bucketwright.runtime.http;

import org.jspecify.annotations.NullMarked;
