/**
 * {@code bucketwright bench}: measures what the controllers cost, on a real API server, beside a ceiling that does only
 * their writes. See docs/performance.md.
 */
@NullMarked
package io.bucketwright.bench;

import org.jspecify.annotations.NullMarked;
