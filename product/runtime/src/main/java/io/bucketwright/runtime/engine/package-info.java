/**
 * Controller processes: {@link io.bucketwright.runtime.engine.ControllerProcessBuilder} has the options,
 * {@link io.bucketwright.runtime.engine.ControllerContext} is where controllers are registered, and the engine starts and
 * stops everything in the right order.
 */
@API(status = API.Status.EXPERIMENTAL, since = "0.1.0")
@NullMarked
package io.bucketwright.runtime.engine;

import org.apiguardian.api.API;
import org.jspecify.annotations.NullMarked;
