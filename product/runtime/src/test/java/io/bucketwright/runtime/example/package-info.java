/** The controller of docs/contributing/writing-a-controller.md. */
@NullMarked
package io.bucketwright.runtime.example;

import org.jspecify.annotations.NullMarked;
