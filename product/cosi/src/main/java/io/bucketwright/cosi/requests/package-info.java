/**
 * What the controllers of all COSI kinds share about requests of users: how long an operation took and how it ended, and how
 * long something missing is not reported.
 */
@API(status = API.Status.EXPERIMENTAL, since = "0.1.0")
@NullMarked
package io.bucketwright.cosi.requests;

import org.apiguardian.api.API;
import org.jspecify.annotations.NullMarked;
