/** JSON of the API server: decoded directly into classes, leniently, and only as far as necessary. */
@NullMarked
package io.bucketwright.runtime.json;

import org.jspecify.annotations.NullMarked;
