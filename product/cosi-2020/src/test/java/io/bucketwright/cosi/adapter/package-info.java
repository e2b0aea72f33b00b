@NullMarked
package io.bucketwright.cosi.adapter;

import org.jspecify.annotations.NullMarked;
