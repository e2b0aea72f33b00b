@NullMarked
package io.bucketwright.cosi.requests;

import org.jspecify.annotations.NullMarked;
