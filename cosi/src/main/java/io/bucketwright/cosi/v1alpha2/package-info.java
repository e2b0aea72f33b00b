/**
 * The kinds of {@code objectstorage.k8s.io/v1alpha2}, which is not released, with the fields of March 2026. Experimental. They
 * are not in the module of the other kinds, whose definitions are generated: both versions have definitions of the same names.
 */
@NullMarked
package io.bucketwright.cosi.v1alpha2;

import org.jspecify.annotations.NullMarked;
