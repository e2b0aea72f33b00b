/**
 * Permits of the machine for test classes. All builds on a machine share them, so that two builds at the same time run as
 * many classes as one, and each class has the CPU time that its waits were made for.
 */
@NullMarked
package io.bucketwright.testing.permits;

import org.jspecify.annotations.NullMarked;
