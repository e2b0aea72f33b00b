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

/** A store with the AWS IAM API, whose administrator may use all buckets. */
final class IamAdministration extends StoreAdministration {

    private final IamClient iam;

    IamAdministration(StoreAccess access, S3Client administrator) {
        super(administrator);
        this.iam = IamClient.builder()
                .endpointOverride(URI.create(access.iamEndpoint()))
                .region(Region.US_EAST_1)
                .credentialsProvider(StoreView.credentials(access.accessKeyId(), access.secretAccessKey()))
                .httpClient(UrlConnectionHttpClient.create())
                .build();
    }

    @Override
    Set<String> users() {
        return iam.listUsersPaginator().users().stream()
                .map(User::userName)
                .collect(Collectors.toCollection(TreeSet::new));
    }

    @Override
    int keysOf(String user) {
        return iam.listAccessKeys(request -> request.userName(user))
                .accessKeyMetadata()
                .size();
    }

    @Override
    public void close() {
        super.close();
        iam.close();
    }
}
