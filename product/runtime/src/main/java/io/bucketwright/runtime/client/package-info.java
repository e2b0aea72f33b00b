/**
 * The connection to the API server. An {@link io.bucketwright.runtime.client.ApiConnection} reads and watches but changes nothing;
 * every change is sent by an {@link io.bucketwright.runtime.client.ApiWriter}, which carries preconditions, asks for
 * leadership once more in the HTTP client itself, shows the answer to the caches, and turns refusals into {@link
 * io.bucketwright.runtime.client.ApiError}. Each request is counted as the server's audit log would name it.
 */
@API(status = API.Status.EXPERIMENTAL, since = "0.1.0")
@NullMarked
package io.bucketwright.runtime.client;

import org.apiguardian.api.API;
import org.jspecify.annotations.NullMarked;
