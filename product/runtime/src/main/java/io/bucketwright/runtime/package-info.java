/**
 * The library that every Bucketwright controller runs on, and the types that all its parts share: keys of objects,
 * leadership, and time, which is an argument so that every rule about waiting can be tested without waiting.
 */
@API(status = API.Status.EXPERIMENTAL, since = "0.1.0")
@NullMarked
package io.bucketwright.runtime;

import org.apiguardian.api.API;
import org.jspecify.annotations.NullMarked;
