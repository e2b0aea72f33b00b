/**
 * The training run for the AOT cache of the installed command: {@link io.bucketwright.local.training.TrainingRun} runs a
 * controller against {@link io.bucketwright.local.training.EmptyApiServer}, and the JVM of the controller records the
 * classes that it loads. Only {@code bin/bucketwright --create-aot-cache} runs it (docs/decisions/0025). The build of the
 * product needs it before the other tools exist, so it is here.
 */
@NullMarked
package io.bucketwright.local.training;

import org.jspecify.annotations.NullMarked;
