/**
 * A provisioner of one's own. {@link io.bucketwright.example.DirectoryStore} is all that its author had to think about: a
 * bucket is a directory, a key is a file. {@link io.bucketwright.example.FileServer} stands for the storage system that
 * you have already, and {@link io.bucketwright.example.DirectoryProvisioner} starts the controller on both.
 */
@NullMarked
package io.bucketwright.example;

import org.jspecify.annotations.NullMarked;
