/**
 * Processes that must not be forgotten. Java can start a process but cannot promise to end it: shutdown hooks do
 * not run when the JVM is killed. So each component runs in a session of its own, leaves its pid and start time in
 * a file before it becomes the program, and a shell script that waits on a pipe from this JVM ends them all when
 * the pipe closes, for whatever reason.
 */
@NullMarked
package io.bucketwright.local.process;

import org.jspecify.annotations.NullMarked;
