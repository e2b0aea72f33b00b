package io.bucketwright.store.s3.client;

import io.bucketwright.store.errors.InputText;
import io.bucketwright.store.errors.StoreException.Invalid;
import java.util.Locale;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** How a store manages its users and access keys: the class parameter {@code identity}. */
public enum IdentityKind {
    /** The AWS IAM API. */
    IAM,
    /** The admin API of MinIO. */
    MINIO,
    /** The admin ops API of the Ceph object gateway. */
    CEPH,
    /** Keys that the administrator supplies, shared by all claims of the class. */
    STATIC,
    /** The one that the store serves, as read requests find out. */
    AUTO;

    /**
     * Parses the value of the class parameter.
     *
     * @throws Invalid if there is no such kind
     */
    public static IdentityKind parse(String text) {
        return Stream.of(values())
                .filter(kind -> kind.text().equals(text))
                .findFirst()
                .orElseThrow(() -> new Invalid(InputText.quote(text) + " must be one of "
                        + Stream.of(values()).map(IdentityKind::text).collect(Collectors.joining(", "))));
    }

    /** The value of the class parameter. */
    public String text() {
        return name().toLowerCase(Locale.ROOT);
    }
}
