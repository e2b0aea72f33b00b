/**
 * Runs only during the build of this module: completes the CustomResourceDefinitions that fabric8's generator writes.
 */
@NullMarked
package io.bucketwright.api.build;

import org.jspecify.annotations.NullMarked;
