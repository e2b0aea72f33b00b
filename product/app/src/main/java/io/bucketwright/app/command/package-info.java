/**
 * What all commands share: the base classes, the exception that carries a message for the user, and how the times of
 * objects are read.
 */
@NullMarked
package io.bucketwright.app.command;

import org.jspecify.annotations.NullMarked;
