/**
 * {@code bucketwright doctor}: checks an installation. It has the parts of a controller without the last one: it observes
 * the cluster with the permissions of its user, decides with pure functions, and prints the findings. It changes nothing.
 */
@NullMarked
package io.bucketwright.app.doctor;

import org.jspecify.annotations.NullMarked;
