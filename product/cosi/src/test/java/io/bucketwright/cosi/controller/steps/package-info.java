@NullMarked
package io.bucketwright.cosi.controller.steps;

import org.jspecify.annotations.NullMarked;
