/**
 * The objects that the COSI controller reads and creates: the caches and what they contain about one object ({@code
 * CosiCaches}), which keys a change concerns ({@code RelatedKeys}), names and content of new objects, and who may use a
 * Bucket. Nothing here sends a request.
 */
@API(status = API.Status.INTERNAL)
@NullMarked
package io.bucketwright.cosi.controller.objects;

import org.apiguardian.api.API;
import org.jspecify.annotations.NullMarked;
