/**
 * The tools of a clone: the demo, the image builder and the commands for the local cluster. The product does not have them;
 * its command finds them by {@link io.bucketwright.app.command.ToolCommand}.
 */
@NullMarked
package io.bucketwright.devtools;

import org.jspecify.annotations.NullMarked;
