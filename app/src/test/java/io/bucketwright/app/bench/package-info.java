@NullMarked
package io.bucketwright.app.bench;

import org.jspecify.annotations.NullMarked;
