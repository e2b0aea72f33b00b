package io.bucketwright.app.doctor.observation;

import io.bucketwright.buckets.classes.BucketClass;
import io.fabric8.kubernetes.api.model.storage.StorageClass;
import java.util.Optional;

/**
 * A StorageClass of a bucket provisioner.
 *
 * @param store the kind of store of its provisioner
 * @param parsed empty if a parameter is invalid
 * @param problem which parameter is invalid; empty if none is
 */
public record ParsedClass(StorageClass storageClass, String store, Optional<BucketClass> parsed, String problem) {}
