/**
 * Principals in the admin API of MinIO: one user for each principal, with one policy, and service accounts of that user as
 * access keys. Also the quotas of buckets.
 */
@API(status = API.Status.INTERNAL)
@NullMarked
package io.bucketwright.store.s3.minio;

import org.apiguardian.api.API;
import org.jspecify.annotations.NullMarked;
