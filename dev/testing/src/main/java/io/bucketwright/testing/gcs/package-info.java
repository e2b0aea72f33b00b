/**
 * A small server that behaves like Google Cloud Storage as far as its published APIs describe it, for what no emulator can
 * prove: credentials, IAM bindings, preconditions. It is strict: it rejects parameters and fields that it does not know, and
 * checks every signature and permission. It is not the real service; what it shows is that the store follows the documents.
 */
@NullMarked
package io.bucketwright.testing.gcs;

import org.jspecify.annotations.NullMarked;
