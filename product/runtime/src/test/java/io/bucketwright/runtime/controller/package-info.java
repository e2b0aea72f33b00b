@NullMarked
package io.bucketwright.runtime.controller;

import org.jspecify.annotations.NullMarked;
