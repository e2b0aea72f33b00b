/**
 * The conformance tests of every {@link io.bucketwright.store.BucketStore}. An author extends
 * {@link io.bucketwright.store.contract.BucketStoreContract} and implements
 * {@link io.bucketwright.store.contract.StoreUnderTest}, which gives the tests access to the store as an application and as
 * its administrator. Tests of capabilities that a store does not declare check only that it reports them as unsupported.
 */
@API(status = API.Status.EXPERIMENTAL, since = "0.1.0")
@NullMarked
package io.bucketwright.store.contract;

import org.apiguardian.api.API;
import org.jspecify.annotations.NullMarked;
