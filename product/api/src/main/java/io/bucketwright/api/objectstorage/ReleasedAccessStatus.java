package io.bucketwright.api.objectstorage;

import com.fasterxml.jackson.annotation.JsonIgnoreProperties;
import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.annotation.JsonPropertyDescription;
import io.bucketwright.api.text.EmptyIfAbsent;

/** The status of a BucketAccess. The sidecar writes it. */
@JsonIgnoreProperties(ignoreUnknown = true)
@JsonInclude(JsonInclude.Include.NON_EMPTY)
public record ReleasedAccessStatus(
        @JsonPropertyDescription("The id by which the driver revokes the account.") @EmptyIfAbsent
        String accountID,

        @JsonPropertyDescription("Whether the Secret with the credentials exists.")
        boolean accessGranted) {
    static final ReleasedAccessStatus NONE = new ReleasedAccessStatus("", false);
}
