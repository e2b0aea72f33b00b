/**
 * Principals as users of the Ceph object gateway, created by its admin ops API. Its administrator cannot act on buckets of
 * others, so each bucket belongs to an account of its own, whose keys nobody gets. Principals are further users; statements
 * in the bucket's policy give them access.
 */
@API(status = API.Status.INTERNAL)
@NullMarked
package io.bucketwright.store.s3.ceph;

import org.apiguardian.api.API;
import org.jspecify.annotations.NullMarked;
