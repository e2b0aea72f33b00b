/**
 * A COSI driver for every store that Bucketwright knows: {@link io.bucketwright.cosi.driver.CosiDriver} turns each RPC
 * into one or a few calls of a {@link io.bucketwright.store.BucketStore}, and what the store refuses into one of the
 * proposal's errors. It is stateless: the owner of a bucket or an account is
 * an ownership tag in the store, computed from the request. So it can be killed at any time and called again. It does not
 * use Kubernetes.
 */
@API(status = API.Status.EXPERIMENTAL, since = "0.1.0")
@NullMarked
package io.bucketwright.cosi.driver;

import org.apiguardian.api.API;
import org.jspecify.annotations.NullMarked;
