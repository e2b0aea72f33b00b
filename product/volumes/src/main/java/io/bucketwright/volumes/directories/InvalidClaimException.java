package io.bucketwright.volumes.directories;

/** A claim that cannot be provisioned unless the claim or its class changes; the message states the problem. */
final class InvalidClaimException extends RuntimeException {

    InvalidClaimException(String message) {
        super(message);
    }
}
