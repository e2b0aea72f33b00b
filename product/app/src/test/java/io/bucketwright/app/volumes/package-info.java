@NullMarked
package io.bucketwright.app.volumes;

import org.jspecify.annotations.NullMarked;
