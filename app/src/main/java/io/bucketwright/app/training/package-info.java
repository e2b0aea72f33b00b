/**
 * The training run for the AOT cache of the installed command: {@link io.bucketwright.app.training.TrainingRun} starts
 * a controller against {@link io.bucketwright.app.training.EmptyApiServer}, and the JVM records the classes that it loads.
 * Only {@code bin/bucketwright --create-aot-cache} runs it (docs/decisions/0025-aot-cache.md). {@link
 * io.bucketwright.app.training.ClassFileUpgrade} prepares jars for it.
 */
@NullMarked
package io.bucketwright.app.training;

import org.jspecify.annotations.NullMarked;
