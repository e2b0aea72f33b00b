@NullMarked
package io.bucketwright.app.claim;

import org.jspecify.annotations.NullMarked;
