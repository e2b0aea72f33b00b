package io.bucketwright.api;

import java.util.Arrays;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** The canned ACLs that a claim can request, with their names in S3 and in the ObjectBucket design document. */
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

    /** The name in S3. */
    public String s3Name() {
        return s3Name;
    }

    /** Parses either name; empty for other text. */
    public static Optional<CannedAcl> of(@Nullable String text) {
        return Arrays.stream(values())
                .filter(acl -> acl.s3Name.equals(text) || acl.designName.equals(text))
                .findFirst();
    }
}
