package io.bucketwright.cosi.wire;

import static org.assertj.core.api.Assertions.assertThat;

import io.bucketwright.cosi.proto.AccessMode;
import io.bucketwright.cosi.proto.DataProtocol;
import java.util.Arrays;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Ruling 35: both spellings are read, one is stored. */
class SpellingsTest {

    @ParameterizedTest
    @CsvSource({
        "s3, S3, s3",
        "S3, S3, s3",
        "gcs, GCS, gcs",
        "azureBlob, AZURE_BLOB, azureBlob",
        "azureblob, AZURE_BLOB, azureBlob",
        "AZURE_BLOB, AZURE_BLOB, azureBlob"
    })
    void everySpellingOfAProtocolIsReadAndOneIsStored(String spelling, DataProtocol meant, String stored) {
        assertThat(Protocols.parse(spelling)).contains(meant);
        assertThat(Protocols.name(meant)).contains(stored);
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "s4", "swift", "PROTOCOL_UNSPECIFIED", "s3,gcs"})
    void whatIsNoProtocolIsNone(String spelling) {
        assertThat(Protocols.parse(spelling)).isEmpty();
    }

    @ParameterizedTest
    @CsvSource({
        "'', MODE_UNSPECIFIED, private",
        "private, MODE_UNSPECIFIED, private",
        "publicRead, RO, ro",
        "ro, RO, ro",
        "wo, WO, wo",
        "publicReadWrite, RW, rw",
        "rw, RW, rw",
        "RW, RW, rw"
    })
    void everySpellingOfAnonymousAccessIsReadAndOneIsStored(String spelling, AccessMode meant, String stored) {
        assertThat(AnonymousAccessModes.parse(spelling)).contains(meant);
        assertThat(AnonymousAccessModes.word(meant)).contains(stored);
    }

    @Test
    void whatIsStoredIsReadAgain() {
        Arrays.stream(DataProtocol.values())
                .forEach(protocol -> Protocols.name(protocol)
                        .ifPresent(word -> assertThat(Protocols.parse(word)).contains(protocol)));
        Arrays.stream(AccessMode.values())
                .forEach(mode -> AnonymousAccessModes.word(mode)
                        .ifPresent(word ->
                                assertThat(AnonymousAccessModes.parse(word)).contains(mode)));
    }

    @Test
    void whatIsNoModeIsNone() {
        assertThat(AnonymousAccessModes.parse("everybody")).isEmpty();
        assertThat(AnonymousAccessModes.word(AccessMode.UNRECOGNIZED)).isEmpty();
    }
}
