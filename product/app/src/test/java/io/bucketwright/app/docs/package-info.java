/** Checks of the documentation: generated pages, links, and the YAML that users copy. */
@NullMarked
package io.bucketwright.app.docs;

import org.jspecify.annotations.NullMarked;
