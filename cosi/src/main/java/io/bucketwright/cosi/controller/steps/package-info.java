/**
 * What the COSI controller can do about an object: {@code ControllerStep} lists the writes, {@code ControllerActs} sends
 * them, {@code CosiCondition} builds status and conditions, {@code OperationMetrics} counts finished requests.
 */
@NullMarked
package io.bucketwright.cosi.controller.steps;

import org.jspecify.annotations.NullMarked;
