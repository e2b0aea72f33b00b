package io.bucketwright.cosi.sanity;

import io.bucketwright.cosi.sanity.calls.GrantedCredentials;
import io.bucketwright.cosi.sanity.calls.TestBucket;

/** Access to a bucket that a check was granted. */
record TestAccess(TestBucket bucket, String account, GrantedCredentials credentials) {}
