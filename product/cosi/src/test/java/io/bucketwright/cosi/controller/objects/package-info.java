@NullMarked
package io.bucketwright.cosi.controller.objects;

import org.jspecify.annotations.NullMarked;
