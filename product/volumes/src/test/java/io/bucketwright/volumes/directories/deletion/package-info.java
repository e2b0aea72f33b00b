/** The rules about released volumes, as tables and without a cluster. */
@org.jspecify.annotations.NullMarked
package io.bucketwright.volumes.directories.deletion;
