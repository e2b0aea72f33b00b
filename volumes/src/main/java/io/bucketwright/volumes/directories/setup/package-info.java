/** What all parts of the directory provisioner are told, and the words they share with Kubernetes and with each other. */
@NullMarked
package io.bucketwright.volumes.directories.setup;

import org.jspecify.annotations.NullMarked;
