package io.bucketwright.store.s3.client;

import io.bucketwright.store.errors.InputText;
import io.bucketwright.store.errors.StoreException.Invalid;
import io.bucketwright.store.parameters.Parameter;
import io.bucketwright.store.parameters.Parameters;
import java.util.List;
import java.util.regex.Pattern;

/**
 * What every new bucket of a class has.
 *
 * @param publicAccessBlock whether the public access block of a bucket is opened for options that make it public, and closed
 *     with them
 * @param kmsKey the ARN of the key for {@link Encryption#SSE_KMS}; empty for the key that AWS manages
 */
public record BucketDefaults(boolean publicAccessBlock, Encryption encryption, String kmsKey) {

    /** How the store encrypts objects. */
    public enum Encryption {
        /** As the store does by default. */
        UNMANAGED,
        /** With keys of S3. */
        SSE_S3,
        /** With a key of AWS KMS. */
        SSE_KMS;

        static Encryption parse(String text) {
            return switch (text) {
                case "unmanaged" -> UNMANAGED;
                case "SSE-S3" -> SSE_S3;
                case "SSE-KMS" -> SSE_KMS;
                default -> throw new Invalid(InputText.quote(text) + " must be unmanaged, SSE-S3 or SSE-KMS");
            };
        }
    }

    static final String PUBLIC_ACCESS_BLOCK = "publicAccessBlock";
    private static final String ENCRYPTION = "encryption";
    private static final String KMS_KEY = "kmsKey";

    private static final Pattern KMS_KEY_SHAPE =
            Pattern.compile("arn:aws[a-z-]{0,20}:kms:[a-z0-9-]{1,40}:\\d{12}:key/[A-Za-z0-9-]{1,64}");

    /** The parameters of a class that these are read from. */
    static List<Parameter> parameters() {
        return List.of(
                Parameter.optional(
                                PUBLIC_ACCESS_BLOCK,
                                "Whether the public access block of a bucket is opened for options that make it public, and"
                                        + " closed with them. Defaults to true on AWS, and to false for other stores.")
                        .bool(),
                Parameter.optional(
                                ENCRYPTION,
                                "The default encryption of new buckets: unmanaged, SSE-S3 or SSE-KMS (see `kmsKey`).")
                        .withDefault("unmanaged")
                        .checkedBy(Encryption::parse),
                Parameter.optional(
                                KMS_KEY,
                                "The ARN of the KMS key for `encryption` SSE-KMS; users may encrypt and decrypt with it."
                                        + " Defaults to the key that AWS manages.")
                        .matching(KMS_KEY_SHAPE, "the ARN of a KMS key"));
    }

    static BucketDefaults of(Parameters parameters, boolean onAws) {
        Encryption encryption = Encryption.parse(parameters.text(ENCRYPTION));
        if (encryption != Encryption.SSE_KMS && parameters.find(KMS_KEY).isPresent()) {
            throw new Invalid("parameter " + KMS_KEY + ": set " + ENCRYPTION + " to SSE-KMS, or omit it");
        }
        return new BucketDefaults(
                parameters.find(PUBLIC_ACCESS_BLOCK).map("true"::equals).orElse(onAws),
                encryption,
                parameters.find(KMS_KEY).orElse(""));
    }
}
