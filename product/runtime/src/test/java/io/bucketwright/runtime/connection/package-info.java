@NullMarked
package io.bucketwright.runtime.connection;

import org.jspecify.annotations.NullMarked;
