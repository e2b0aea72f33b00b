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

    private static DirectoryClass read(Map<String, String> parameters) {
        return DirectoryClass.read(builder(parameters).build(), Path.of("/srv/volumes"));
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
    void aClassThatSaysNothingIsClosedToOthersAndDeletes() {
        DirectoryClass read = read(Map.of());
        assertThat(read.mode().toString()).isEqualTo("0770");
        assertThat(read.deletes()).isTrue();
        assertThat(read.backing()).isEqualTo(new Backing.HostPath("/srv/volumes"));
        assertThat(read.uids().contains(0)).isFalse();
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "assetRoot | relative | absolute path",
                "assetRoot | / | not / itself",
                "assetRoot | /srv/../etc | absolute path",
                "assetRoot | /srv//x | absolute path",
                "assetRoot | -x:/srv | SERVER:/PATH",
                "assetRoot | host:/ | not / itself",
                "volumeType | nfs | needs assetRoot SERVER:/PATH",
                "volumeType | iscsi | must be hostPath, local or nfs",
                "volumeType | local | WaitForFirstConsumer",
                "mode | 0999 | octal",
                "mode | 4770 | octal",
                "mode | rwx | octal",
                "naming | pattern | claim or uid",
                "onDelete | shred | delete, archive or retain",
                "minSize | much | amount",
                "rootBudget | -1x | amount",
                "ownerUidRange | 5 | range",
                "ownerUidRange | 9-5 | smaller",
                "ownerGidRange | 0-4294967295 | smaller",
                "defaultOwnerAssetUid | -1 | number",
                "defaultOwnerAssetUid | 0 | outside ownerUidRange 1-2147483647",
                "allowedNamespaces | a;b | separated by commas",
                "projectQuota | yes | auto, require or off",
                "assetroot | /srv | not known"
            })
    void whatMakesNoSenseIsRefusedWithAWord(String parameter, String value, String word) {
        assertThatThrownBy(() -> read(Map.of(parameter, value)))
                .isInstanceOf(InvalidClass.class)
                .hasMessageContaining(parameter.equals("assetRoot") ? "assetRoot" : parameter)
                .hasMessageContaining(word);
    }

    @Test
    void aServerInTheAssetRootMakesItNfs() {
        assertThat(read(Map.of("assetRoot", "files.example.com:/export")).backing())
                .isEqualTo(new Backing.Nfs("files.example.com", "/export"));
        assertThat(read(Map.of("assetRoot", "[fd00::1]:/export")).backing().published())
                .isEqualTo("[fd00::1]:/export");
    }

    @Test
    void mountOptionsAreForNfs() {
        assertThatThrownBy(() -> DirectoryClass.read(
                        builder(Map.of()).withMountOptions("nolock").build(), Path.of("/srv")))
                .isInstanceOf(InvalidClass.class);
        assertThat(DirectoryClass.read(
                                builder(Map.of("assetRoot", "host:/srv"))
                                        .withMountOptions("nolock")
                                        .build(),
                                Path.of("/srv"))
                        .mountOptions())
                .isEqualTo(List.of("nolock"));
    }

    @Test
    void amountsAreReadAsKubernetesWritesThem() {
        DirectoryClass read = read(Map.of("minSize", "1Gi", "maxSize", "2T", "rootBudget", "1.5Gi"));
        assertThat(read.minBytes()).isEqualTo(1L << 30);
        assertThat(read.maxBytes()).isEqualTo(2_000_000_000_000L);
        assertThat(read.rootBudget()).isEqualTo(3L << 29);
        assertThat(Bytes.text(3L << 29)).isEqualTo("1536Mi");
    }
}
