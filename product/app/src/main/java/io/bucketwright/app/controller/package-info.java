/**
 * {@code bucketwright controller}: several controllers in one process. They share one connection, one set of informers
 * and one status server. Each role has its own lease and its own event recorder, so that the roles can be distributed
 * over processes in any way.
 */
@NullMarked
package io.bucketwright.app.controller;

import org.jspecify.annotations.NullMarked;
