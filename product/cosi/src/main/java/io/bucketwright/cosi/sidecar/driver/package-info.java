/**
 * The port to a COSI driver, shared by all controllers: orders, answers and the interface {@code Driver}, whatever protocol
 * the driver speaks. The connection detects the protocol and follows the driver's state. What
 * does not depend on the API is here, too: what a call depends on, and when a rotation is due.
 */
@API(status = API.Status.EXPERIMENTAL, since = "0.1.0")
@NullMarked
package io.bucketwright.cosi.sidecar.driver;

import org.apiguardian.api.API;
import org.jspecify.annotations.NullMarked;
