package io.bucketwright.cosi.sidecar.driver;

/** The answer to an order whose success has no content. */
public record EmptyAnswer() {}
