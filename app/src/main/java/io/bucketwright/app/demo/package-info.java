/**
 * {@code bucketwright demo}: one claim's whole life, told step by step. A cluster and a store come up, a controller runs
 * in this process, an application states a claim, uses what it gets, and gives it back; then everything goes.
 */
@NullMarked
package io.bucketwright.app.demo;

import org.jspecify.annotations.NullMarked;
