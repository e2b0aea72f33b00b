@NullMarked
package io.bucketwright.devtools.image;

import org.jspecify.annotations.NullMarked;
