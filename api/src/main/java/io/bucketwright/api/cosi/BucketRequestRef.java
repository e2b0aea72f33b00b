package io.bucketwright.api.cosi;

import com.fasterxml.jackson.annotation.JsonIgnoreProperties;
import com.fasterxml.jackson.annotation.JsonPropertyDescription;
import io.fabric8.generator.annotation.Required;
import io.fabric8.generator.annotation.Size;

/** One BucketRequest, and no later one of the same name. */
@JsonIgnoreProperties(ignoreUnknown = true)
public record BucketRequestRef(
        @JsonPropertyDescription("Its namespace.") @Required @Size(min = 1, max = 63)
        String namespace,

        @JsonPropertyDescription("Its name.") @Required @Size(min = 1, max = 253)
        String name,

        @JsonPropertyDescription("Its metadata.uid.") @Required @Size(min = 1, max = 63)
        String uid) {
    /** Of an access without one, which the schema refuses. */
    static final BucketRequestRef NONE = new BucketRequestRef("", "", "");

    public BucketRequestRef {
        namespace = Absent.text(namespace);
        name = Absent.text(name);
        uid = Absent.text(uid);
    }
}
