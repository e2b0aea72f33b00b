/** The directory provisioner on the real cluster: the real binder binds, the real collector collects. */
@org.jspecify.annotations.NullMarked
package io.bucketwright.volumes.directories;
