/** The checks of {@code bucketwright doctor}: pure functions from an observation to findings. */
@NullMarked
package io.bucketwright.app.doctor.checks;

import org.jspecify.annotations.NullMarked;
