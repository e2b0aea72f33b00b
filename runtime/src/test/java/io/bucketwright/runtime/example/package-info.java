/** The controller of docs/writing-a-controller.md. */
@NullMarked
package io.bucketwright.runtime.example;

import org.jspecify.annotations.NullMarked;
