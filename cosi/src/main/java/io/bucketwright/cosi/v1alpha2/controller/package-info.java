/**
 * The controller for BucketClaims and BucketAccesses of {@code objectstorage.k8s.io/v1alpha2}. Experimental. It creates and
 * deletes Buckets, and hands accesses over to the sidecar of their driver.
 */
@API(status = API.Status.EXPERIMENTAL, since = "0.1.0")
@NullMarked
package io.bucketwright.cosi.v1alpha2.controller;

import org.apiguardian.api.API;
import org.jspecify.annotations.NullMarked;
