/**
 * HTTP for stores whose requests Bucketwright writes itself, without an SDK. A
 * {@link io.bucketwright.store.http.LimitedTransport} keeps the limits of a call; a
 * {@link io.bucketwright.store.http.Transport} sends one request; {@link io.bucketwright.store.http.HttpTransport} does so with
 * the client of the JDK, as the {@link io.bucketwright.store.http.TransportSettings} of a class say: trusted certificates,
 * proxy and timeouts, which have the same names and rules for all these stores.
 */
@API(status = API.Status.EXPERIMENTAL, since = "0.1.0")
@NullMarked
package io.bucketwright.store.http;

import org.apiguardian.api.API;
import org.jspecify.annotations.NullMarked;
