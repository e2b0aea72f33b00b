/** What {@code bucketwright doctor} reports: findings, each about one object, with a severity and what to do. */
@NullMarked
package io.bucketwright.app.doctor.finding;

import org.jspecify.annotations.NullMarked;
