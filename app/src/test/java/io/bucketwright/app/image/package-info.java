@NullMarked
package io.bucketwright.app.image;

import org.jspecify.annotations.NullMarked;
