package io.bucketwright.cosi.wire;

import static org.assertj.core.api.Assertions.assertThat;

import io.bucketwright.cosi.proto.DataProtocol;
import java.util.Arrays;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** The proposal has several spellings: all are accepted, one is stored. */
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
    void everySpellingOfAProtocolIsAcceptedAndOneIsStored(String spelling, DataProtocol meant, String stored) {
        assertThat(Protocols.parse(spelling)).contains(meant);
        assertThat(Protocols.name(meant)).contains(stored);
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "s4", "swift", "PROTOCOL_UNSPECIFIED", "s3,gcs"})
    void otherTextIsNoProtocol(String spelling) {
        assertThat(Protocols.parse(spelling)).isEmpty();
    }

    @Test
    void theStoredSpellingIsAccepted() {
        Arrays.stream(DataProtocol.values())
                .forEach(protocol -> Protocols.name(protocol)
                        .ifPresent(word -> assertThat(Protocols.parse(word)).contains(protocol)));
    }
}
