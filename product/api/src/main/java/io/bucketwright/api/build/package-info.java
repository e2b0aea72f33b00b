/**
 * Runs only during the build of this module: completes the CustomResourceDefinitions that fabric8's generator writes.
 */
@API(status = API.Status.INTERNAL)
@NullMarked
package io.bucketwright.api.build;

import org.apiguardian.api.API;
import org.jspecify.annotations.NullMarked;
