/**
 * The training run for the AOT cache of the installed command: {@link io.bucketwright.app.training.TrainingRun} starts
 * the controllers against {@link io.bucketwright.app.training.EmptyApiServer}, and the JVM records the classes that they
 * load. Only {@code bin/bucketwright --create-aot-cache} runs it (docs/decisions/0025).
 */
@NullMarked
package io.bucketwright.app.training;

import org.jspecify.annotations.NullMarked;
