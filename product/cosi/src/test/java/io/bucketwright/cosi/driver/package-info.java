@NullMarked
package io.bucketwright.cosi.driver;

import org.jspecify.annotations.NullMarked;
