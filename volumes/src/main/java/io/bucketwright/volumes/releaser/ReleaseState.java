package io.bucketwright.volumes.releaser;

import io.bucketwright.runtime.controller.Problem;
import org.jspecify.annotations.Nullable;

/**
 * What the process knows about a volume between two steps.
 *
 * @param reported the last problem that was reported on the volume
 */
record ReleaseState(@Nullable Problem reported) {}
