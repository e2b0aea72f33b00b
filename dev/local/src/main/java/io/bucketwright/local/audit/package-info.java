/** Reads the audit log of an API server: which user sent which requests. */
@NullMarked
package io.bucketwright.local.audit;

import org.jspecify.annotations.NullMarked;
