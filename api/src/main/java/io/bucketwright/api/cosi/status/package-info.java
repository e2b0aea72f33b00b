/**
 * Values in the status of COSI objects: the phases of each kind, and the reasons that the sidecar and the controller
 * share.
 */
@NullMarked
package io.bucketwright.api.cosi.status;

import org.jspecify.annotations.NullMarked;
