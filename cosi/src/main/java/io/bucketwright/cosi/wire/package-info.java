/**
 * What the two sides of a COSI socket must agree about beyond the messages themselves: the keys in their maps, the
 * spellings of protocols and modes, what an error is called, how a socket is served and reached, and that nothing secret
 * is ever written to a log. It knows no Kubernetes, because a driver knows none.
 */
@NullMarked
package io.bucketwright.cosi.wire;

import org.jspecify.annotations.NullMarked;
