/**
 * {@code bucketwright pvc-provisioner} and {@code bucketwright pv-releaser}: the volume controllers under the names and
 * flags of the programs they replace. A deployment of those needs another image and nothing else: each flag is taken with
 * one dash or two, and those of their log that mean nothing here are taken too.
 */
@NullMarked
package io.bucketwright.app.volumes;

import org.jspecify.annotations.NullMarked;
