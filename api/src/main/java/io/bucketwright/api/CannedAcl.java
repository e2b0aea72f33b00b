package io.bucketwright.api;

import java.util.Arrays;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** The predefined access lists a claim may ask for, under the name S3 gives them and the one the ObjectBucket design did. */
public enum CannedAcl {
    PRIVATE("private", "BucketCannedACLPrivate"),
    PUBLIC_READ("public-read", "BucketCannedACLPublicRead"),
    PUBLIC_READ_WRITE("public-read-write", "BucketCannedACLPublicReadWrite"),
    AUTHENTICATED_READ("authenticated-read", "BucketCannedACLAuthenticatedRead");

    static final String PATTERN = "^(private|public-read|public-read-write|authenticated-read"
            + "|BucketCannedACL(Private|PublicRead|PublicReadWrite|AuthenticatedRead))?$";

    private final String s3Name;
    private final String designName;

    CannedAcl(String s3Name, String designName) {
        this.s3Name = s3Name;
        this.designName = designName;
    }

    /** The name S3 knows it by. */
    public String s3Name() {
        return s3Name;
    }

    /** Reads either spelling; empty for anything else. */
    public static Optional<CannedAcl> of(@Nullable String text) {
        return Arrays.stream(values())
                .filter(acl -> acl.s3Name.equals(text) || acl.designName.equals(text))
                .findFirst();
    }
}
