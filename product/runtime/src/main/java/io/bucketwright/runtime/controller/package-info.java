/**
 * What the author of a controller writes, and what runs it. A {@link io.bucketwright.runtime.controller.LoopReconciler} has three
 * parts: observe reads caches into one immutable record, decide is a pure function from that record to the next step, act
 * carries out one {@link io.bucketwright.runtime.controller.Step}. The worker repeats them until there is nothing left to do or time must pass; the {@link
 * io.bucketwright.runtime.controller.Result} is which. Whatever an act throws becomes a result too.
 * docs/contributing/writing-a-controller.md has an example.
 */
@API(status = API.Status.EXPERIMENTAL, since = "0.1.0")
@NullMarked
package io.bucketwright.runtime.controller;

import org.apiguardian.api.API;
import org.jspecify.annotations.NullMarked;
