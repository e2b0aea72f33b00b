/**
 * The sidecar's side of the connection to a COSI driver, shared by both controllers: the gRPC channel and the driver's
 * state, the calls with their deadline and limit, the mapping from gRPC errors to problems, and the provisioner secrets
 * that are sent with each call.
 */
@NullMarked
package io.bucketwright.cosi.sidecar.driver;

import org.jspecify.annotations.NullMarked;
