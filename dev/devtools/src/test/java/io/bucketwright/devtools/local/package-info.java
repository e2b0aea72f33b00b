@NullMarked
package io.bucketwright.devtools.local;

import org.jspecify.annotations.NullMarked;
