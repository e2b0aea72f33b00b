/** Metrics, alerts and dashboard: that they exist at a real endpoint, that each alert fires, and that the pages name them. */
@NullMarked
package io.bucketwright.app.monitoring;

import org.jspecify.annotations.NullMarked;
