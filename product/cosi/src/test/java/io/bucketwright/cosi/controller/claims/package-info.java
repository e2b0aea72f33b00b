@NullMarked
package io.bucketwright.cosi.controller.claims;

import org.jspecify.annotations.NullMarked;
