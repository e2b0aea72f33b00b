/** Tests of the Helm chart: what it renders, that the API server accepts it, and that it works on a real node. */
@NullMarked
package io.bucketwright.app.chart;

import org.jspecify.annotations.NullMarked;
