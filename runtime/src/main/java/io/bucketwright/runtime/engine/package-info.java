/**
 * The parts put together: started in the order they need each other, and ended in the order that loses nothing.
 */
@NullMarked
package io.bucketwright.runtime.engine;

import org.jspecify.annotations.NullMarked;
