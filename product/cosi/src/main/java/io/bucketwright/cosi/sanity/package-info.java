/**
 * Conformance checks for any COSI driver. {@link io.bucketwright.cosi.sanity.Sanity} calls the driver over its socket as a
 * sidecar does, also as one that was killed and restarted: repeated calls, concurrent calls, wrong arguments, invalid
 * names. Each {@link io.bucketwright.cosi.sanity.SanityCheck} tests one rule.
 */
@API(status = API.Status.EXPERIMENTAL, since = "0.1.0")
@NullMarked
package io.bucketwright.cosi.sanity;

import org.apiguardian.api.API;
import org.jspecify.annotations.NullMarked;
