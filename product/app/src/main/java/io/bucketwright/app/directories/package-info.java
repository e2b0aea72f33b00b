/**
 * {@code bucketwright directory}: the directory provisioner, which is also available as {@code bucketwright
 * directory-provisioner}, and the commands with which an administrator lists and restores archived directories.
 */
@NullMarked
package io.bucketwright.app.directories;

import org.jspecify.annotations.NullMarked;
