/**
 * What client and server of a COSI socket share besides the messages: keys of maps, spellings of protocols and modes,
 * errors, sockets, and logging without secrets. It does not depend on Kubernetes, because a driver does not.
 */
@NullMarked
package io.bucketwright.cosi.wire;

import org.jspecify.annotations.NullMarked;
