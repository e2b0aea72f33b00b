/**
 * {@code bucketwright directory-provisioner}, under the flags of the document it implements and of its successors, and
 * {@code bucketwright directory}, with which an administrator looks at what is archived and gives it back.
 */
@NullMarked
package io.bucketwright.app.directories;

import org.jspecify.annotations.NullMarked;
