package io.bucketwright.store.s3.client;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;

/** docs/stores.md has the policy that the administrator needs on AWS for the calls that the code makes. */
final class AdministratorPolicyTest {

    @Test
    void theDocsHaveTheLeastPrivilegePolicy() throws IOException {
        String policy = AdministratorPolicy.policy(SdkCalls.ofThisModule());
        assertThat(Files.readString(Path.of("../../docs/stores.md")).indent(-4))
                .as("paste this, indented by four spaces")
                .contains(policy);
    }

    @Test
    void actionsHaveTheNamesThatAwsChecks() {
        assertThat(SdkCalls.ofThisModule())
                .contains("S3.CreateBucket", "S3.DeleteObjects", "Iam.CreateAccessKey")
                .doesNotContain("S3.Close", "S3.PutObject", "S3.GetObject");
        assertThat(AwsPermissions.actions("S3.ListObjectsV2")).containsExactly("s3:ListBucket");
        assertThat(AwsPermissions.actions("Iam.DeleteUser")).containsExactly("iam:DeleteUser");
    }
}
