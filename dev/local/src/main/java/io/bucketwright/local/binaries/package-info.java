/**
 * Where the programs of a local cluster come from. No release is downloaded: what is not there already is compiled from
 * Go modules that this jar carries with their checksums, once, into a cache that all clusters of the user share.
 */
@NullMarked
package io.bucketwright.local.binaries;

import org.jspecify.annotations.NullMarked;
