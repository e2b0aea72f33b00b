/**
 * The BucketAccessRequest and its BucketAccess: checks whether the namespace may use the Bucket, creates the BucketAccess
 * that a sidecar grants, copies the credentials into the application's Secret, and deletes the BucketAccess with its
 * request.
 */
@NullMarked
package io.bucketwright.cosi.controller.accesses;

import org.jspecify.annotations.NullMarked;
