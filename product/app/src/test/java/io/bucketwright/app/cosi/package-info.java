@NullMarked
package io.bucketwright.app.cosi;

import org.jspecify.annotations.NullMarked;
