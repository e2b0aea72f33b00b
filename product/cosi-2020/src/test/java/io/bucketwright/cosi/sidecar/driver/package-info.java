@NullMarked
package io.bucketwright.cosi.sidecar.driver;

import org.jspecify.annotations.NullMarked;
