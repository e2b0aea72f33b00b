/** What classes may say. */
@org.jspecify.annotations.NullMarked
package io.bucketwright.volumes.directories.classes;
