/**
 * {@code bucketwright claim}: commands that show and change ObjectBucketClaims with the permissions of the user. {@link
 * io.bucketwright.app.claim.ClaimClient} sends the requests and turns errors into one sentence. The values of a Secret
 * are never printed.
 */
@NullMarked
package io.bucketwright.app.claim;

import org.jspecify.annotations.NullMarked;
