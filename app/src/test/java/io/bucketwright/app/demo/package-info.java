@NullMarked
package io.bucketwright.app.demo;

import org.jspecify.annotations.NullMarked;
