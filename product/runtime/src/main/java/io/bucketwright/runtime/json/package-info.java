/** JSON of the API server: decoded directly into classes, leniently, and only as far as necessary. */
@API(status = API.Status.EXPERIMENTAL, since = "0.1.0")
@NullMarked
package io.bucketwright.runtime.json;

import org.apiguardian.api.API;
import org.jspecify.annotations.NullMarked;
