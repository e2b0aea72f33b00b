/**
 * What the COSI controller can do about an object: {@code ControllerStep} lists the writes, {@code ControllerActs} sends
 * them, {@code CosiCondition} builds status and conditions, {@code OperationMetrics} counts finished requests.
 */
@API(status = API.Status.INTERNAL)
@NullMarked
package io.bucketwright.cosi.controller.steps;

import org.apiguardian.api.API;
import org.jspecify.annotations.NullMarked;
