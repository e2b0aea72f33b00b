/**
 * A COSI driver for every store that Bucketwright knows: {@link io.bucketwright.cosi.driver.CosiDriver} turns each RPC
 * into one or a few calls of a {@link io.bucketwright.store.BucketStore}, and what the store refuses into one of the
 * proposal's errors. It keeps no memory: whose a bucket or an account is stands in the store, as a mark made of what the
 * request says. So it can be killed at any time and asked again. It knows no Kubernetes.
 */
@NullMarked
package io.bucketwright.cosi.driver;

import org.jspecify.annotations.NullMarked;
