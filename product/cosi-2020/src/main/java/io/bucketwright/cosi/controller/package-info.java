/**
 * The central COSI controller. It creates a Bucket for a BucketRequest and a BucketAccess for a BucketAccessRequest, copies
 * the credentials that a provisioner issued, and deletes everything in an order that destroys no data too early. It never
 * calls a store; the sidecar does.
 *
 * <p>Each of the four kinds has a loop of its own, the only one that writes existing objects of that kind, with an observer,
 * an observation and a decision. {@code ControllerActs} carries the decisions out. The loops interact through the objects. The
 * BucketRequest's loop creates the Bucket; the sidecar creates it in the store and fills {@code spec.protocol}; the
 * BucketAccessRequest's loop creates the BucketAccess; the sidecar grants it and creates the Secret {@code ba-<uid>}; the
 * BucketAccessRequest's loop copies the Secret; the Bucket's loop writes the binding; then each loop reports Bound. Deletion
 * runs backwards: the BucketAccess is deleted with its request, the sidecar revokes it and removes its finalizer, the
 * Bucket's loop removes the binding, and with the last request the Bucket is deleted if its release policy is Delete.
 *
 * <p>Tenants' objects grant nothing. Only the Bucket decides whether a namespace may use it ({@code BucketPermission}), and
 * only the BucketAccess decides which account a Secret is for.
 */
@API(status = API.Status.EXPERIMENTAL, since = "0.1.0")
@NullMarked
package io.bucketwright.cosi.controller;

import org.apiguardian.api.API;
import org.jspecify.annotations.NullMarked;
