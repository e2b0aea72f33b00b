/**
 * An example of a provisioner. Its author writes {@link io.bucketwright.example.DirectoryStore}: a bucket is a directory,
 * a key is a file. {@link io.bucketwright.example.FileServer} stands for the storage system that exists already, and {@link io.bucketwright.example.DirectoryProvisioner} starts the controller on both.
 */
@NullMarked
package io.bucketwright.example;

import org.jspecify.annotations.NullMarked;
