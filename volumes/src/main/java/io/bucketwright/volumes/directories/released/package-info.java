/**
 * From a released volume to nothing, to the archive, or to what is kept. One key is one life of one volume. What may be
 * removed is decided by the volume's phase and policy, its class, its provisioner, and the marker: the directory's name is
 * worked out from the claim that the marker names, and marker, volume and directory must agree on it. Nothing is ever
 * removed because of what a volume alone says. First the directory goes out of everybody's reach, then what is in it, in
 * slices, then the volume, then the marker: whoever takes over after a crash finds the marker and goes on.
 */
@NullMarked
package io.bucketwright.volumes.directories.released;

import org.jspecify.annotations.NullMarked;
