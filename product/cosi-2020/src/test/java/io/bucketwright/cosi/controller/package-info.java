/** The controller alone: on an API server in memory, and on a real cluster beside a fake sidecar. */
@NullMarked
package io.bucketwright.cosi.controller;

import org.jspecify.annotations.NullMarked;
