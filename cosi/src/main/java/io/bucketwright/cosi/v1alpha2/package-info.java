/**
 * The kinds of {@code objectstorage.k8s.io/v1alpha2}, which is not released, with the fields of March 2026. Experimental. They
 * are not in the module of the other kinds, whose definitions are generated: both versions have definitions of the same names.
 */
@API(status = API.Status.EXPERIMENTAL, since = "0.1.0")
@NullMarked
package io.bucketwright.cosi.v1alpha2;

import org.apiguardian.api.API;
import org.jspecify.annotations.NullMarked;
