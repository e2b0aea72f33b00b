@NullMarked
package io.bucketwright.app.training;

import org.jspecify.annotations.NullMarked;
