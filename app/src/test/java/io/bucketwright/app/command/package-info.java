@NullMarked
package io.bucketwright.app.command;

import org.jspecify.annotations.NullMarked;
