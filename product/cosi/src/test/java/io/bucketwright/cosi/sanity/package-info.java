@NullMarked
package io.bucketwright.cosi.sanity;

import org.jspecify.annotations.NullMarked;
