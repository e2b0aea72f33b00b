/**
 * How a check calls a driver and its store: the dialects of the protocol, results of calls, and clients that use granted
 * credentials.
 */
@API(status = API.Status.INTERNAL)
@NullMarked
package io.bucketwright.cosi.sanity.calls;

import org.apiguardian.api.API;
import org.jspecify.annotations.NullMarked;
