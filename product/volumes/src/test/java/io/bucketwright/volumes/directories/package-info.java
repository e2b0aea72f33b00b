/** Tests of the directory provisioner on a real cluster. */
@org.jspecify.annotations.NullMarked
package io.bucketwright.volumes.directories;
