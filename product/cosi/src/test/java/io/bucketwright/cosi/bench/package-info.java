/** What the COSI tests on a cluster share: classes, requests and accesses of one test, and its clean-up. */
@NullMarked
package io.bucketwright.cosi.bench;

import org.jspecify.annotations.NullMarked;
