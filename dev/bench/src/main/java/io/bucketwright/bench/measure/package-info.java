/** What the bench measures: times, requests in the audit log, and CPU and memory of processes. */
@NullMarked
package io.bucketwright.bench.measure;

import org.jspecify.annotations.NullMarked;
