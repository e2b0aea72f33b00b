/**
 * Values in the status of COSI objects: the phases of each kind, and the reasons that the sidecar and the controller
 * share.
 */
@API(status = API.Status.EXPERIMENTAL, since = "0.1.0")
@NullMarked
package io.bucketwright.api.cosi.status;

import org.apiguardian.api.API;
import org.jspecify.annotations.NullMarked;
