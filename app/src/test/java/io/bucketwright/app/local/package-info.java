@NullMarked
package io.bucketwright.app.local;

import org.jspecify.annotations.NullMarked;
