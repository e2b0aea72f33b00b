/** Principals as users of the AWS IAM API: AWS, versitygw and moto. */
@API(status = API.Status.INTERNAL)
@NullMarked
package io.bucketwright.store.s3.iam;

import org.apiguardian.api.API;
import org.jspecify.annotations.NullMarked;
