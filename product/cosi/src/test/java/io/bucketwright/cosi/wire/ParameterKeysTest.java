package io.bucketwright.cosi.wire;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.lang.reflect.Field;
import java.lang.reflect.Modifier;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Set;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;

/** The committed file of the protocol is what the authors of drivers read. */
class ParameterKeysTest {

    private static final Path FILE = Path.of("../cosi-proto/src/main/protobuf/cosi/v1/cosi.proto");

    /** Parameters that only the sidecar reads, and the key that only {@code cosi.v1alpha1} has. */
    private static final Set<String> NOT_SENT = Set.of(
            ParameterKeys.RESERVED,
            ParameterKeys.BUCKET_NAME,
            ParameterKeys.PROVISIONER_SECRET_NAME,
            ParameterKeys.PROVISIONER_SECRET_NAMESPACE,
            ParameterKeys.ENDPOINT,
            ParameterKeys.REGION,
            ParameterKeys.STORAGE_ACCOUNT);

    private final String text = Files.readString(FILE);

    ParameterKeysTest() throws IOException {}

    @Test
    void theFileOfTheProtocolNamesEveryKeyThatIsSent() {
        assertThat(keys())
                .filteredOn(key -> !NOT_SENT.contains(key))
                .isNotEmpty()
                .allSatisfy(key -> assertThat(text).contains("\"" + key + "\""));
    }

    @Test
    void theFileOfTheProtocolNamesNoOtherReservedKey() {
        List<String> named = Pattern.compile("\"(cosi\\.io/[^\"]*)\"")
                .matcher(text)
                .results()
                .map(match -> match.group(1))
                .toList();

        assertThat(named).isNotEmpty().isSubsetOf(keys()).doesNotContainAnyElementsOf(NOT_SENT);
    }

    private static List<String> keys() {
        return Arrays.stream(ParameterKeys.class.getDeclaredFields())
                .filter(field -> Modifier.isPublic(field.getModifiers()) && field.getType() == String.class)
                .map(ParameterKeysTest::value)
                .toList();
    }

    private static String value(Field field) {
        try {
            return String.valueOf(field.get(null));
        } catch (IllegalAccessException e) {
            throw new IllegalStateException(e);
        }
    }
}
