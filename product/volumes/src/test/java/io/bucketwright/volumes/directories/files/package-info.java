/** The directory tree on a real file system; some tests need root, as the provisioner itself does. */
@org.jspecify.annotations.NullMarked
package io.bucketwright.volumes.directories.files;
