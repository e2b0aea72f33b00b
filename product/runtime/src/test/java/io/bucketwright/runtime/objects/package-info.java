@NullMarked
package io.bucketwright.runtime.objects;

import org.jspecify.annotations.NullMarked;
