/** What the tools of a clone have in common. */
@NullMarked
package io.bucketwright.devtools.command;

import org.jspecify.annotations.NullMarked;
