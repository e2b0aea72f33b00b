/**
 * HTTP/1.1 and WebSockets to the API server over blocking sockets, as an HTTP client of fabric8. A request is written and its
 * response is read in the thread of the caller, which is a virtual thread and would wait anyway; lists and watches are read
 * in a virtual thread each. No other thread takes part in a request.
 */
@API(status = API.Status.INTERNAL)
@NullMarked
package io.bucketwright.runtime.connection;

import org.apiguardian.api.API;
import org.jspecify.annotations.NullMarked;
