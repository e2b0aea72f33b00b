@NullMarked
package io.bucketwright.runtime.events;

import org.jspecify.annotations.NullMarked;
