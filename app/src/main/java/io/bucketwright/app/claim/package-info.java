/**
 * {@code bucketwright claim}: what a person wants to know of a claim and do with it, without a controller in this
 * process. {@link io.bucketwright.app.claim.Claims} speaks to the API server and turns what it says into one sentence;
 * the rest is words: a row of a list, a description, why a claim is waited for. No value of a Secret is ever read into
 * any of them.
 */
@NullMarked
package io.bucketwright.app.claim;

import org.jspecify.annotations.NullMarked;
