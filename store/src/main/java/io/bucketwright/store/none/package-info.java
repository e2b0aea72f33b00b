/**
 * A store that makes nothing and answers at once, for load tests and dry runs. It remembers what it was asked for, so
 * that it keeps the contract of every store as far as it goes: marks, principals and keys, but no objects.
 */
@NullMarked
package io.bucketwright.store.none;

import org.jspecify.annotations.NullMarked;
