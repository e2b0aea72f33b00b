package io.bucketwright.api.cosi.status;

import io.bucketwright.api.text.TextEnum;

/** A value of {@code status.phase}. */
public sealed interface CosiPhase extends TextEnum
        permits BucketAccessPhase, BucketAccessRequestPhase, BucketPhase, BucketRequestPhase {}
