package io.bucketwright.bench.workload;

/**
 * An object to create.
 *
 * @param collection path of all objects of its kind in its namespace
 * @param body JSON
 */
public record NewObject(String collection, String body) {}
