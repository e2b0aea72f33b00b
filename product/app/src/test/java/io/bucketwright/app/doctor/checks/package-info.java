@NullMarked
package io.bucketwright.app.doctor.checks;

import org.jspecify.annotations.NullMarked;
