/**
 * The BucketRequest: chooses the class, creates the Bucket or binds to an existing one, and holds its finalizer until all
 * access through it is revoked and, with release policy Delete, the Bucket is deleted.
 */
@API(status = API.Status.INTERNAL)
@NullMarked
package io.bucketwright.cosi.controller.requests;

import org.apiguardian.api.API;
import org.jspecify.annotations.NullMarked;
