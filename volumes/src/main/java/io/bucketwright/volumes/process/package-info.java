/**
 * A process with one volume controller in it: connection, caches, leadership, events, health and metrics, wired as the
 * command wires them for several. Builders of the controllers use it; controllers see only {@link
 * io.bucketwright.volumes.process.Parts}.
 */
@NullMarked
package io.bucketwright.volumes.process;

import org.jspecify.annotations.NullMarked;
