package io.bucketwright.cosi.sanity;

/** Access to a bucket that a check was granted. */
record TestAccess(TestBucket bucket, String account, GrantedCredentials credentials) {}
