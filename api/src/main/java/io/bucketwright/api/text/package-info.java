/** The texts of typed values, shared by the kinds of both API groups. */
@NullMarked
package io.bucketwright.api.text;

import org.jspecify.annotations.NullMarked;
