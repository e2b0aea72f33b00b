/** The conditions that controllers write into the status of custom resources. */
@API(status = API.Status.EXPERIMENTAL, since = "0.1.0")
@NullMarked
package io.bucketwright.runtime.status;

import org.apiguardian.api.API;
import org.jspecify.annotations.NullMarked;
