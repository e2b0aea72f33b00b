/**
 * Controllers of PersistentVolumes: {@code podclaims} creates claims that pods request, {@code releaser} makes released
 * volumes available again, {@code directories} provisions volumes that are directories. A provisioner and a releaser that
 * work together share a {@link io.bucketwright.volumes.ControllerId}.
 */
@API(status = API.Status.INTERNAL)
@NullMarked
package io.bucketwright.volumes;

import org.apiguardian.api.API;
import org.jspecify.annotations.NullMarked;
