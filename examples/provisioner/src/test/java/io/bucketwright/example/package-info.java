@NullMarked
package io.bucketwright.example;

import org.jspecify.annotations.NullMarked;
