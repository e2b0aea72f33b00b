/**
 * What the cluster asks the process: is it alive, is it ready, what has it counted. Three paths on the JDK's own small
 * server; a framework would be larger than the answers.
 */
@NullMarked
package io.bucketwright.runtime.http;

import org.jspecify.annotations.NullMarked;
