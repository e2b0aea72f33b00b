/**
 * The words an application developer and a controller exchange: an {@link io.bucketwright.api.ObjectBucketClaim} asks
 * for a bucket, an {@link io.bucketwright.api.ObjectBucket} records what was made for it and how to undo it.
 *
 * <p>Both kinds were invented elsewhere and live in clusters that Rook or NooBaa set up, so these types read whatever
 * either of them wrote, keep fields they do not know, and never fail on a value they did not expect: one odd object must
 * not stop the list it is in. What a text field means is asked of the methods beside it ({@code phase()},
 * {@code bucket()}, {@code options()}); the record components are the JSON as it is, with {@code null} for what is absent.
 *
 * <p>The CustomResourceDefinitions are generated from these types when the module is built; {@link
 * io.bucketwright.api.Crds} hands them out.
 */
@NullMarked
package io.bucketwright.api;

import org.jspecify.annotations.NullMarked;
