package io.bucketwright.cosi.wire;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.protobuf.Descriptors.Descriptor;
import com.google.protobuf.Descriptors.FieldDescriptor;
import com.google.protobuf.Descriptors.FieldDescriptor.JavaType;
import com.google.protobuf.Descriptors.FileDescriptor;
import com.google.protobuf.DynamicMessage;
import com.google.protobuf.Message;
import io.bucketwright.cosi.proto.CosiProto;
import io.bucketwright.cosi.proto.CreateBucketRequest;
import io.bucketwright.cosi.proto.GenericCredentials;
import io.bucketwright.cosi.proto.GrantBucketAccessResponse;
import io.bucketwright.cosi.proto.ProviderCredentials;
import io.bucketwright.cosi.proto.csi.CsiProto;
import io.bucketwright.cosi.proto.csi.NodePublishVolumeRequest;
import io.bucketwright.cosi.proto.v1alpha1.ReleasedCosiProto;
import java.util.List;
import java.util.Set;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

class RedactionTest {

    private static final String SECRET = "hunter2-hunter2";
    private static final Set<String> SECRET_NAMES = Set.of("secrets", "creds", "credentials");

    @Test
    void whatIsNotSecretIsShown() {
        String shown = Redaction.text(CreateBucketRequest.newBuilder()
                .setBucketName("photos")
                .putDriverParameters("region", "eu")
                .putSecrets("AWS_SECRET_ACCESS_KEY", SECRET)
                .build());

        assertThat(shown)
                .isEqualTo("CreateBucketRequest{bucket_name: \"photos\", driver_parameters: [\"region\": \"eu\"],"
                        + " secrets: ***}");
    }

    @Test
    void credentialsThatAreGrantedAreNotShown() {
        GrantBucketAccessResponse response = GrantBucketAccessResponse.newBuilder()
                .addCreds(ProviderCredentials.newBuilder()
                        .setGenericCredentials(GenericCredentials.newBuilder().putCredentials("key", SECRET)))
                .build();

        assertThat(Redaction.text(response)).isEqualTo("GrantBucketAccessResponse{creds: ***}");
        assertThat(Redaction.text(response.getCreds(0))).isEqualTo("ProviderCredentials{***}");
    }

    @Test
    void aPodsCredentialsAreNotShownEither() {
        assertThat(Redaction.text(NodePublishVolumeRequest.newBuilder()
                        .setVolumeId("v")
                        .putSecrets("key", SECRET)
                        .build()))
                .isEqualTo("NodePublishVolumeRequest{volume_id: \"v\", secrets: ***}");
    }

    /** Holds for messages that somebody adds later, too. */
    @ParameterizedTest
    @MethodSource("everyMessage")
    void noMessageShowsWhatStandsInASecretPlace(Descriptor type) {
        assertThat(Redaction.text(filled(type, false, 0))).doesNotContain(SECRET);
    }

    @Test
    void textFromOutsideCannotBreakTheLine() {
        String shown = Redaction.text(CreateBucketRequest.newBuilder()
                .setBucketName("a\nINFO all is well \u001b[2J")
                .build());

        assertThat(shown).doesNotContain("\n", "\u001b");
    }

    @Test
    void aSecretThatAnErrorQuotesIsScrubbed() {
        CreateBucketRequest request = CreateBucketRequest.newBuilder()
                .setBucketName("photos")
                .putSecrets("AWS_SECRET_ACCESS_KEY", SECRET)
                .putSecrets("short", "s3")
                .build();

        assertThat(Redaction.scrub("photos: s3 refused " + SECRET + "!", request))
                .isEqualTo("photos: s3 refused ***!");
    }

    static List<Descriptor> everyMessage() {
        return Stream.<FileDescriptor>of(
                        CosiProto.getDescriptor(), ReleasedCosiProto.getDescriptor(), CsiProto.getDescriptor())
                .flatMap(file -> file.getMessageTypes().stream())
                .toList();
    }

    private static Message filled(Descriptor type, boolean secret, int depth) {
        DynamicMessage.Builder message = DynamicMessage.newBuilder(type);
        for (FieldDescriptor field : type.getFields()) {
            boolean hidden = secret || SECRET_NAMES.contains(field.getName()) || isAccountWithCredentials(field);
            if (field.getJavaType() == JavaType.MESSAGE && depth < 5) {
                put(message, field, filled(field.getMessageType(), hidden, depth + 1));
            } else if (field.getJavaType() == JavaType.STRING) {
                put(message, field, hidden ? SECRET : "plain");
            }
        }
        return message.build();
    }

    /** The service account of GCS is only a name. */
    private static boolean isAccountWithCredentials(FieldDescriptor field) {
        return field.getName().equals("service_account") && field.getJavaType() == JavaType.MESSAGE;
    }

    private static void put(DynamicMessage.Builder message, FieldDescriptor field, Object value) {
        if (field.isRepeated()) {
            message.addRepeatedField(field, value);
        } else {
            message.setField(field, value);
        }
    }
}
