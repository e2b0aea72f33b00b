/**
 * A store in a storage account of Azure Blob Storage. A bucket is a container, its ownership tags are container metadata,
 * and a principal is one or two stored access policies of the container, each with a service SAS. The account key signs
 * requests and tokens and is never handed out. Uses the REST API with the HTTP client of the JDK, see
 * docs/decisions/0036-azure-rest.md.
 */
@API(status = API.Status.INTERNAL)
@NullMarked
package io.bucketwright.store.azure;

import org.apiguardian.api.API;
import org.jspecify.annotations.NullMarked;
