/**
 * The contract that every {@link io.bucketwright.store.BucketStore} keeps, as tests. An author extends
 * {@link io.bucketwright.store.contract.BucketStoreContract}, says by
 * {@link io.bucketwright.store.contract.StoreUnderTest} how to reach the store and how an application would use what it
 * hands out, and runs it with JUnit. What a store does not claim to be capable of is not asked of it, but that it says so.
 */
@API(status = API.Status.EXPERIMENTAL, since = "0.1.0")
@NullMarked
package io.bucketwright.store.contract;

import org.apiguardian.api.API;
import org.jspecify.annotations.NullMarked;
