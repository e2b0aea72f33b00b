/** The commands of the directory provisioner. */
@org.jspecify.annotations.NullMarked
package io.bucketwright.app.directories;
