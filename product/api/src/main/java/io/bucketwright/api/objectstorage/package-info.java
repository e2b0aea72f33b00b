/**
 * The kinds of COSI as Kubernetes SIG Storage released it, {@code objectstorage.k8s.io/v1alpha1} (v0.2.2). Fields, names and
 * defaults are the released ones; the texts are ours. Nothing is immutable and nearly every text is free, so that objects of
 * other clients are never rejected: whoever reads them checks them.
 *
 * <p>Kinds that {@code cosi.io} has too are called {@code Released…} in Java.
 */
@API(status = API.Status.EXPERIMENTAL, since = "0.1.0")
@NullMarked
package io.bucketwright.api.objectstorage;

import org.apiguardian.api.API;
import org.jspecify.annotations.NullMarked;
