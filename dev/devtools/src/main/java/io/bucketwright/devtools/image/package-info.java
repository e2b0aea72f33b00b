/**
 * {@code bucketwright image}: builds an OCI image of the installed command without a container engine. {@link
 * io.bucketwright.devtools.image.ImageBuild} puts a root file system together from Debian's C library, a jlink runtime, the
 * jars and an AOT cache; {@link io.bucketwright.devtools.image.LayerWriter} makes layers of it, and {@link
 * io.bucketwright.devtools.image.ImageLayout} the archive. The same input gives the same bytes.
 */
@NullMarked
package io.bucketwright.devtools.image;

import org.jspecify.annotations.NullMarked;
