package io.bucketwright.volumes.podclaims;

/**
 * An attempt that the API server refused.
 *
 * @param inputs what it depended on; other inputs are another attempt
 * @param attempts how many in a row failed so
 * @param lasting whether only other inputs can help
 * @param notBefore when to try again, on the monotonic clock
 */
record Refusal(String inputs, Trouble trouble, int attempts, boolean lasting, long notBefore) {}
