/**
 * The processes that serve a port: their names and order, how each is started until it is ready, and the client that asks
 * whether it is.
 */
@NullMarked
package io.bucketwright.local.server;

import org.jspecify.annotations.NullMarked;
