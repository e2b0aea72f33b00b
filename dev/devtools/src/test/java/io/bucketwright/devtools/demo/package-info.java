@NullMarked
package io.bucketwright.devtools.demo;

import org.jspecify.annotations.NullMarked;
