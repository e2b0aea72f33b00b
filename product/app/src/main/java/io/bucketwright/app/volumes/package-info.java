/**
 * {@code bucketwright pvc-provisioner} and {@code bucketwright pv-releaser}: the volume controllers under the names and
 * flags of the programs that they replace, dynamic-pvc-provisioner and reclaimable-pv-releaser. Only the image of a
 * deployment has to change: each flag is accepted with one dash or two, and so are klog's flags.
 */
@NullMarked
package io.bucketwright.app.volumes;

import org.jspecify.annotations.NullMarked;
