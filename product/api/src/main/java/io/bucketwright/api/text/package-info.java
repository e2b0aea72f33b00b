/** The texts of typed values, shared by the kinds of both API groups. */
@API(status = API.Status.EXPERIMENTAL, since = "0.1.0")
@NullMarked
package io.bucketwright.api.text;

import org.apiguardian.api.API;
import org.jspecify.annotations.NullMarked;
