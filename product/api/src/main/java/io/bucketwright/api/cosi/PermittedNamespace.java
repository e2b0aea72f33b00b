package io.bucketwright.api.cosi;

import com.fasterxml.jackson.annotation.JsonIgnoreProperties;
import com.fasterxml.jackson.annotation.JsonPropertyDescription;
import io.bucketwright.api.text.EmptyIfAbsent;
import io.fabric8.generator.annotation.Required;
import io.fabric8.generator.annotation.Size;

/** A namespace that may use a Bucket. The uid keeps out a later namespace of the same name. */
@JsonIgnoreProperties(ignoreUnknown = true)
public record PermittedNamespace(
        @JsonPropertyDescription("The namespace's name.") @Required @Size(min = 1, max = 63) @EmptyIfAbsent
        String name,

        @JsonPropertyDescription("Its metadata.uid; a later namespace of the same name has another uid.")
        @Required
        @Size(min = 1, max = 63)
        @EmptyIfAbsent
        String uid) {}
