/** Tests of the manifests of released kinds. */
@NullMarked
package io.bucketwright.cosi.migration;

import org.jspecify.annotations.NullMarked;
