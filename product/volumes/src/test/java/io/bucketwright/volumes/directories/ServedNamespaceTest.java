package io.bucketwright.volumes.directories;

import static org.assertj.core.api.Assertions.assertThat;

import io.bucketwright.volumes.directories.classes.DirectorySettings;
import io.fabric8.kubernetes.api.model.PersistentVolume;
import io.fabric8.kubernetes.client.utils.Serialization;
import java.nio.file.Path;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** A process with a namespace does not compare its roots with volumes of other processes. */
class ServedNamespaceTest {

    @ParameterizedTest
    @CsvSource({
        "'',   '{namespace: team}',  true",
        "team, '{namespace: team}',  true",
        "team, '{namespace: other}', false",
        "team, null,                 true"
    })
    void aVolumeOfAnotherNamespaceIsNotServed(String namespace, String claim, boolean served) {
        DirectorySettings settings =
                new DirectorySettings(Set.of("shared"), "", Path.of("/root"), Map.of(), namespace, "");
        PersistentVolume volume =
                Serialization.unmarshal("spec: {claimRef: %s}".formatted(claim), PersistentVolume.class);
        assertThat(DirectoryAnnotations.isInServedNamespace(volume, settings)).isEqualTo(served);
    }
}
