/**
 * The central controller of COSI: it answers a BucketRequest with a Bucket and a BucketAccessRequest with a BucketAccess,
 * copies the credentials that a provisioner made, and takes everything back in an order that destroys nothing too early.
 * It never talks to a store; that is the sidecar's.
 *
 * <p>Each of the four kinds has a loop of its own, which is the only one that writes objects of that kind (creation apart):
 * {@code RequestDecision}, {@code BucketDecision}, {@code AccessRequestDecision} and {@code AccessDecision} decide,
 * {@code Observer} reads the caches for them, {@code Acts} carries their steps out. They meet through the objects: the
 * request's loop creates the Bucket, the sidecar fills {@code spec.protocol} (it is made), the access request's loop
 * creates the BucketAccess, the sidecar creates the Secret {@code ba-<uid>} (it is granted), the access request's loop
 * copies it, the Bucket's loop writes the binding, and each loop then says Bound. Backwards likewise: the access goes when
 * its request goes, the sidecar takes its finalizer off (it is revoked), the Bucket's loop takes the binding off, and with
 * the last request a Bucket that was made for it goes too, if its release policy is Delete.
 *
 * <p>What tenants write is never authority. Whether a namespace may use a Bucket is decided by the Bucket alone ({@code
 * Permission}), and which account a Secret opens by the BucketAccess alone.
 */
@NullMarked
package io.bucketwright.cosi.controller;

import org.jspecify.annotations.NullMarked;
