package io.bucketwright.api.cosi;

import com.fasterxml.jackson.annotation.JsonIgnoreProperties;
import com.fasterxml.jackson.annotation.JsonPropertyDescription;
import io.bucketwright.api.text.EmptyIfAbsent;
import io.fabric8.generator.annotation.Required;
import io.fabric8.generator.annotation.Size;

/** One BucketRequest, and no later one of the same name. */
@JsonIgnoreProperties(ignoreUnknown = true)
public record BucketRequestRef(
        @JsonPropertyDescription("Its namespace.") @Required @Size(min = 1, max = 63) @EmptyIfAbsent
        String namespace,

        @JsonPropertyDescription("Its name.") @Required @Size(min = 1, max = 253) @EmptyIfAbsent
        String name,

        @JsonPropertyDescription("Its metadata.uid.") @Required @Size(min = 1, max = 63) @EmptyIfAbsent
        String uid) {
    /** Of an access without one, which the schema refuses. */
    static final BucketRequestRef NONE = new BucketRequestRef("", "", "");
}
