/** Roots and their threads. */
@org.jspecify.annotations.NullMarked
package io.bucketwright.volumes.directories.roots;
