/** The rules about claims, as tables and without a cluster. */
@org.jspecify.annotations.NullMarked
package io.bucketwright.volumes.directories.provisioning;
