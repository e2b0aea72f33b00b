/**
 * What client and server of a COSI socket share besides the messages: keys of maps, spellings of protocols and modes,
 * errors, sockets, and logging without secrets. It does not depend on Kubernetes, because a driver does not.
 */
@API(status = API.Status.EXPERIMENTAL, since = "0.1.0")
@NullMarked
package io.bucketwright.cosi.wire;

import org.apiguardian.api.API;
import org.jspecify.annotations.NullMarked;
