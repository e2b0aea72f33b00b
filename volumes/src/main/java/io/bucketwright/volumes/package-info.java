/**
 * Controllers of PersistentVolumes: {@code podclaims} creates claims that pods request, {@code releaser} makes released
 * volumes available again, {@code directories} provisions volumes that are directories. A provisioner and a releaser that
 * work together share a {@link io.bucketwright.volumes.ControllerId}.
 */
@NullMarked
package io.bucketwright.volumes;

import org.jspecify.annotations.NullMarked;
