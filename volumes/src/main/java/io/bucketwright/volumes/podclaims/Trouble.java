package io.bucketwright.volumes.podclaims;

/** What keeps a claim from being made, in words for the pod's author. Told once. */
record Trouble(Reason reason, String note) {}
