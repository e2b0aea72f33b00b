/**
 * How a check calls a driver and its store: the dialects of the protocol, results of calls, and clients that use granted
 * credentials.
 */
@NullMarked
package io.bucketwright.cosi.sanity.calls;

import org.jspecify.annotations.NullMarked;
