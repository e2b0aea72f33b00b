/**
 * Runs while this module is built, and never after: it takes the CustomResourceDefinitions as fabric8's generator leaves
 * them and adds what the generator has no word for.
 */
@NullMarked
package io.bucketwright.api.build;

import org.jspecify.annotations.NullMarked;
