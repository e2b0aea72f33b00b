/** What the doctor reads. */
@NullMarked
package io.bucketwright.app.doctor.observation;

import org.jspecify.annotations.NullMarked;
