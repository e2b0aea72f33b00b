/**
 * The dialects of the protocol between sidecar and driver: {@code cosi.v1} of the design of 2020, and {@code cosi.v1alpha1}
 * as released, which the drivers of vendors speak. Each turns orders into requests, and responses and errors into answers.
 * No other package of the sidecar knows the messages of gRPC.
 */
@API(status = API.Status.INTERNAL)
@NullMarked
package io.bucketwright.cosi.sidecar.dialect;

import org.apiguardian.api.API;
import org.jspecify.annotations.NullMarked;
