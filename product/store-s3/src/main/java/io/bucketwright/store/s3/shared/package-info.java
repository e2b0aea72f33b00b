/**
 * Keys that the administrator supplies and that all claims of a class share, for stores whose users Bucketwright cannot
 * manage.
 */
@API(status = API.Status.INTERNAL)
@NullMarked
package io.bucketwright.store.s3.shared;

import org.apiguardian.api.API;
import org.jspecify.annotations.NullMarked;
