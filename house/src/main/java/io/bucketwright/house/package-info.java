/**
 * The sources of all modules as data: their files, how many lines the product has, and the classes of the three walks that a
 * new contributor reads. {@code house/house} prints it, the tests of this module check it. Nothing outside of the JDK is used,
 * so that {@code java} can run it from the sources.
 */
@NullMarked
package io.bucketwright.house;

import org.jspecify.annotations.NullMarked;
