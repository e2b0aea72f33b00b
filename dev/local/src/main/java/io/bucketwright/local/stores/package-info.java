/**
 * The object stores that run on one machine, with a cluster or alone: {@link io.bucketwright.local.stores.LocalStore}
 * starts one in a temporary folder, and {@link io.bucketwright.local.stores.StoreKind} lists them. Their programs are
 * built or downloaded once and cached.
 */
@NullMarked
package io.bucketwright.local.stores;

import org.jspecify.annotations.NullMarked;
