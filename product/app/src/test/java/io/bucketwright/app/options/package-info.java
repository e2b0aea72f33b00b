@NullMarked
package io.bucketwright.app.options;

import org.jspecify.annotations.NullMarked;
