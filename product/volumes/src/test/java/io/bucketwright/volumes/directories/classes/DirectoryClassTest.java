package io.bucketwright.volumes.directories.classes;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.fabric8.kubernetes.api.model.storage.StorageClassBuilder;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class DirectoryClassTest {

    private static DirectoryClass parse(Map<String, String> parameters) {
        return DirectoryClass.parse(builder(parameters).build(), Path.of("/srv/volumes"));
    }

    private static StorageClassBuilder builder(Map<String, String> parameters) {
        return new StorageClassBuilder()
                .withNewMetadata()
                .withName("shared")
                .endMetadata()
                .withProvisioner("example.com/directory")
                .withParameters(parameters);
    }

    @Test
    void aClassWithoutParametersAllowsNoOtherUsersAndDeletes() {
        DirectoryClass parsed = parse(Map.of());
        assertThat(parsed.mode().toString()).isEqualTo("0770");
        assertThat(parsed.deletes()).isTrue();
        assertThat(parsed.source()).isEqualTo(new DirectoryVolumeSource.HostPath("/srv/volumes"));
        assertThat(parsed.uids().contains(0)).isFalse();
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "assetRoot | relative | absolute path",
                "assetRoot | / | the path / is allowed only with a server",
                "assetRoot | /srv/../etc | absolute path",
                "assetRoot | /srv//x | absolute path",
                "assetRoot | -x:/srv | SERVER:/PATH",
                "volumeType | nfs | requires assetRoot SERVER:/PATH",
                "volumeType | iscsi | must be hostPath, local or nfs",
                "volumeType | local | WaitForFirstConsumer",
                "mode | 0999 | octal",
                "mode | 4770 | octal",
                "mode | rwx | octal",
                "naming | pattern | claim or uid",
                "onDelete | shred | delete, archive or retain",
                "minSize | much | quantity",
                "rootBudget | -1x | quantity",
                "ownerUidRange | 5 | range",
                "ownerUidRange | 9-5 | smaller",
                "ownerGidRange | 0-4294967295 | smaller",
                "defaultOwnerAssetUid | -1 | number",
                "defaultOwnerAssetUid | 0 | outside ownerUidRange 1-2147483647",
                "allowedNamespaces | a;b | comma-separated",
                "projectQuota | yes | auto, require or off",
                "assetroot | /srv | is unknown"
            })
    void anInvalidParameterIsReported(String parameter, String value, String problem) {
        assertThatThrownBy(() -> parse(Map.of(parameter, value)))
                .isInstanceOf(InvalidClassException.class)
                .hasMessageContaining(parameter)
                .hasMessageContaining(problem);
    }

    @Test
    void anAssetRootWithAServerIsNfs() {
        assertThat(parse(Map.of("assetRoot", "files.example.com:/export")).source())
                .isEqualTo(new DirectoryVolumeSource.Nfs("files.example.com", "/export"));
        // The root of an EFS file system, and the pseudo-root of NFSv4.
        assertThat(parse(Map.of("assetRoot", "fs-1234.efs.example.com:/")).source())
                .isEqualTo(new DirectoryVolumeSource.Nfs("fs-1234.efs.example.com", "/"));
        assertThat(parse(Map.of("assetRoot", "[fd00::1]:/export")).source().published())
                .isEqualTo("[fd00::1]:/export");
    }

    @Test
    void mountOptionsRequireNfs() {
        StorageClassBuilder builder = builder(Map.of()).withMountOptions("nolock");
        assertThatThrownBy(() -> DirectoryClass.parse(builder.build(), Path.of("/srv")))
                .isInstanceOf(InvalidClassException.class);
        builder.addToParameters("assetRoot", "host:/srv");
        assertThat(DirectoryClass.parse(builder.build(), Path.of("/srv")).mountOptions())
                .isEqualTo(List.of("nolock"));
    }

    @Test
    void sizesAreKubernetesQuantities() {
        DirectoryClass parsed = parse(Map.of("minSize", "1Gi", "maxSize", "2T", "rootBudget", "1.5Gi"));
        assertThat(parsed.minBytes()).isEqualTo(1L << 30);
        assertThat(parsed.maxBytes()).isEqualTo(2_000_000_000_000L);
        assertThat(parsed.rootBudget()).isEqualTo(3L << 29);
        assertThat(StorageSize.text(3L << 29)).isEqualTo("1536Mi");
    }
}
