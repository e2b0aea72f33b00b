/** The controller alone: as decisions without a cluster, and on a real one beside a sidecar that is made up. */
@NullMarked
package io.bucketwright.cosi.controller;

import org.jspecify.annotations.NullMarked;
