package io.bucketwright.bench.cluster;

import java.nio.file.Path;

/** A user of the API server, whose requests the audit log tells apart. */
public record BenchUser(String name, Path kubeconfig) {}
