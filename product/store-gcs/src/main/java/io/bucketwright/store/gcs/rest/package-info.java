/**
 * The REST APIs of Google Cloud, with the JDK's HTTP client. A {@link io.bucketwright.store.gcs.rest.GcsClient} sends each
 * {@link io.bucketwright.store.gcs.rest.ApiRequest} with an access token of the administrator, and translates errors.
 */
@API(status = API.Status.INTERNAL)
@NullMarked
package io.bucketwright.store.gcs.rest;

import org.apiguardian.api.API;
import org.jspecify.annotations.NullMarked;
