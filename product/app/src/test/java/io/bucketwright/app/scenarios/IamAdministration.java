package io.bucketwright.app.scenarios;

import io.bucketwright.local.stores.StoreAccess;
import java.net.URI;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;
import software.amazon.awssdk.http.urlconnection.UrlConnectionHttpClient;
import software.amazon.awssdk.regions.Region;
import software.amazon.awssdk.services.iam.IamClient;
import software.amazon.awssdk.services.iam.model.User;
import software.amazon.awssdk.services.s3.S3Client;
import software.amazon.awssdk.services.s3.model.Bucket;

/** A store with the AWS IAM API, whose administrator may use all buckets. */
final class IamAdministration implements StoreAdministration {

    private final S3Client s3;
    private final IamClient iam;

    IamAdministration(StoreAccess access, S3Client administrator) {
        this.s3 = administrator;
        this.iam = IamClient.builder()
                .endpointOverride(URI.create(access.iamEndpoint()))
                .region(Region.US_EAST_1)
                .credentialsProvider(StoreView.credentials(access.accessKeyId(), access.secretAccessKey()))
                .httpClient(UrlConnectionHttpClient.create())
                .build();
    }

    /** The buckets that an S3 client with these credentials lists. */
    static Set<String> listed(S3Client s3) {
        return s3.listBuckets().buckets().stream().map(Bucket::name).collect(Collectors.toCollection(TreeSet::new));
    }

    @Override
    public Set<String> buckets() {
        return listed(s3);
    }

    @Override
    public Set<String> users() {
        return iam.listUsersPaginator().users().stream()
                .map(User::userName)
                .collect(Collectors.toCollection(TreeSet::new));
    }

    @Override
    public int keysOf(String user) {
        return iam.listAccessKeys(request -> request.userName(user))
                .accessKeyMetadata()
                .size();
    }

    @Override
    public S3Client clientOf(String bucket) {
        return s3;
    }

    @Override
    public void close() {
        s3.close();
        iam.close();
    }
}
