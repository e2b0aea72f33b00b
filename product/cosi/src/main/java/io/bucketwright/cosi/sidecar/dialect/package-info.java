/**
 * Calls to a driver in the dialect that it speaks: {@code cosi.v1alpha1} as released, which the drivers of vendors speak. A
 * dialect turns orders into requests, and responses and errors into answers. {@code cosi.v1} of the design of 2020 is in
 * module cosi-2020.
 */
@API(status = API.Status.EXPERIMENTAL, since = "0.1.0")
@NullMarked
package io.bucketwright.cosi.sidecar.dialect;

import org.apiguardian.api.API;
import org.jspecify.annotations.NullMarked;
