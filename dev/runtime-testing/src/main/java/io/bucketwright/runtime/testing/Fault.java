package io.bucketwright.runtime.testing;

/** What happens to a request that changes something. */
public enum Fault {
    NONE,
    /** The request does not reach the server. */
    REQUEST_LOST,
    /** The request takes effect, and the controller does not get the response. */
    RESPONSE_LOST,
    /** The server refuses to create an object, as with a quota; other requests take effect. */
    CREATION_REFUSED
}
