package io.bucketwright.cosi.sidecar.dialect;

import io.micrometer.core.instrument.MeterRegistry;
import java.time.Duration;

/**
 * What all calls to one driver have in common.
 *
 * @param driver its name, in messages and metrics
 * @param deadline of one call
 */
public record CallSettings(String driver, Duration deadline, MeterRegistry meters) {}
