/** What a bench reports: as JSON, as a table, as a plot, and as the results in docs/performance.md. */
@NullMarked
package io.bucketwright.bench.report;

import org.jspecify.annotations.NullMarked;
