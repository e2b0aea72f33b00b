/**
 * The BucketAccessRequest and its BucketAccess: checks whether the namespace may use the Bucket, creates the BucketAccess
 * that a sidecar grants, copies the credentials into the application's Secret, and deletes the BucketAccess with its
 * request.
 */
@API(status = API.Status.INTERNAL)
@NullMarked
package io.bucketwright.cosi.controller.accesses;

import org.apiguardian.api.API;
import org.jspecify.annotations.NullMarked;
