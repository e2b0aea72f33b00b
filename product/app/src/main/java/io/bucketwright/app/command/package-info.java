/**
 * What all commands share: the base class, the exception that carries a message for the user, and the progress display.
 */
@NullMarked
package io.bucketwright.app.command;

import org.jspecify.annotations.NullMarked;
