/**
 * The REST APIs of Google Cloud, with the JDK's HTTP client. A {@link io.bucketwright.store.gcs.rest.GcsClient} sends each
 * {@link io.bucketwright.store.gcs.rest.ApiRequest} with an access token of the administrator, and translates errors.
 */
@NullMarked
package io.bucketwright.store.gcs.rest;

import org.jspecify.annotations.NullMarked;
