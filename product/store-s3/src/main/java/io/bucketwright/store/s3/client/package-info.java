/**
 * The connection to an S3 store: the parameters of its class, the clients of the AWS SDK, signed requests to administration
 * APIs that the SDK does not know, and the translation of errors.
 */
@API(status = API.Status.INTERNAL)
@NullMarked
package io.bucketwright.store.s3.client;

import org.apiguardian.api.API;
import org.jspecify.annotations.NullMarked;
