/**
 * What {@code bucketwright doctor} reads, with the permissions of its user: objects, access reviews of service accounts,
 * and answers of stores. It changes nothing. What may not be read is part of the observation, so that the report names it.
 */
@NullMarked
package io.bucketwright.app.doctor.observation;

import org.jspecify.annotations.NullMarked;
