/**
 * Base classes of the commands that run until they are terminated. {@link io.bucketwright.app.process.ServerCommand}
 * starts a server, logs that it started and closes it on SIGTERM; {@link
 * io.bucketwright.app.process.ControllerProcessCommand} adds what all controllers have: a connection to the API server,
 * leader election and a status server.
 */
@NullMarked
package io.bucketwright.app.process;

import org.jspecify.annotations.NullMarked;
