@NullMarked
package io.bucketwright.app.doctor;

import org.jspecify.annotations.NullMarked;
