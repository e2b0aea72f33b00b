/**
 * {@code bucketwright controller}: several roles in one process. They share one connection, one set of informers and one
 * status server; each has a lease and a recorder of its own, so that roles can be spread over processes at will.
 */
@NullMarked
package io.bucketwright.app.controller;

import org.jspecify.annotations.NullMarked;
