@NullMarked
package io.bucketwright.runtime.json;

import org.jspecify.annotations.NullMarked;
