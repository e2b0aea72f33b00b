package io.bucketwright.api.cosi;

import com.fasterxml.jackson.annotation.JsonIgnoreProperties;
import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.annotation.JsonPropertyDescription;
import io.fabric8.generator.annotation.Size;

/** A container of Azure Blob storage. */
@JsonIgnoreProperties(ignoreUnknown = true)
@JsonInclude(JsonInclude.Include.NON_EMPTY)
public record AzureContainer(
        @JsonPropertyDescription("The container's name in the store.") @Size(max = 255)
        String containerName,

        @JsonPropertyDescription("The storage account of the container. Set by the sidecar when the container exists.")
        @Size(max = 255)
        String storageAccount) {
    public AzureContainer {
        containerName = Absent.text(containerName);
        storageAccount = Absent.text(storageAccount);
    }
}
