/** Tests of the directory provisioner. */
@org.jspecify.annotations.NullMarked
package io.bucketwright.volumes.directories;
