@NullMarked
package io.bucketwright.app.process;

import org.jspecify.annotations.NullMarked;
