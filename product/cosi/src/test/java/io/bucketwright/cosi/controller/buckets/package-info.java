@NullMarked
package io.bucketwright.cosi.controller.buckets;

import org.jspecify.annotations.NullMarked;
