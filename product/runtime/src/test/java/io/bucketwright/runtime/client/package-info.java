@NullMarked
package io.bucketwright.runtime.client;

import org.jspecify.annotations.NullMarked;
