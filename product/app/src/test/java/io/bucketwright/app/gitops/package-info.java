@NullMarked
package io.bucketwright.app.gitops;

import org.jspecify.annotations.NullMarked;
