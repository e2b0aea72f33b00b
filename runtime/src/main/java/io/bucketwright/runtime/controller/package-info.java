/**
 * What a controller author writes, and what runs it. A {@link io.bucketwright.runtime.controller.DecisionLoop} has three
 * parts: observe reads caches into one immutable record, decide is a pure function from that record to the next step, act
 * carries one step out. The worker goes round in place until there is nothing left to do or something must be waited for,
 * and the {@link io.bucketwright.runtime.controller.Result} says which. Whatever an act throws becomes a result too: no
 * exception ends a worker, and no key is lost.
 */
@NullMarked
package io.bucketwright.runtime.controller;

import org.jspecify.annotations.NullMarked;
