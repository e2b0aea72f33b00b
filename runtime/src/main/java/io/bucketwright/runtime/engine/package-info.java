/**
 * Controller processes: {@link io.bucketwright.runtime.engine.ControllerProcessBuilder} has the options,
 * {@link io.bucketwright.runtime.engine.ControllerContext} is where controllers are registered, and the engine starts and
 * stops everything in the right order.
 */
@NullMarked
package io.bucketwright.runtime.engine;

import org.jspecify.annotations.NullMarked;
