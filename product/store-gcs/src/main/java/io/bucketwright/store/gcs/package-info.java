/**
 * A store for Google Cloud Storage. It uses the JSON API of Cloud Storage and the IAM API with the JDK's HTTP client: a
 * principal is a service account with a binding on its bucket, and its credentials are HMAC keys or service account keys.
 * The ownership tags of a bucket are labels.
 */
@API(status = API.Status.INTERNAL)
@NullMarked
package io.bucketwright.store.gcs;

import org.apiguardian.api.API;
import org.jspecify.annotations.NullMarked;
