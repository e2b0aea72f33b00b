/**
 * From a claim to its volume. One key is one life of one claim. {@code ClaimObserver} reads caches and the root's ledger,
 * {@code Planning} turns what the claim and its class say into a plan or a refusal, {@code ClaimDecision} chooses the next step,
 * {@code ClaimActs} takes it: marker, directory, owner, and one POST. A claim that goes before its volume was made takes its
 * marker and its empty directory with it; a directory in which something is stays, whatever its marker says.
 */
@NullMarked
package io.bucketwright.volumes.directories.claims;

import org.jspecify.annotations.NullMarked;
