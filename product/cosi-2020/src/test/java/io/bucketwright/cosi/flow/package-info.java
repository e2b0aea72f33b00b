@NullMarked
package io.bucketwright.cosi.flow;

import org.jspecify.annotations.NullMarked;
