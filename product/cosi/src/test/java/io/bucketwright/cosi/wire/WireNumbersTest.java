package io.bucketwright.cosi.wire;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.protobuf.Descriptors.Descriptor;
import com.google.protobuf.Descriptors.FieldDescriptor;
import com.google.protobuf.Descriptors.FileDescriptor;
import io.bucketwright.cosi.proto.CosiControllerGrpc;
import io.bucketwright.cosi.proto.CosiProto;
import io.bucketwright.cosi.proto.csi.CsiProto;
import io.bucketwright.cosi.proto.csi.IdentityGrpc;
import io.bucketwright.cosi.proto.csi.NodeGrpc;
import io.bucketwright.cosi.proto.registration.RegistrationGrpc;
import io.bucketwright.cosi.proto.v1alpha1.ProvisionerGrpc;
import io.bucketwright.cosi.proto.v1alpha1.ReleasedCosiProto;
import io.grpc.MethodDescriptor;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** What other people's programs rely on: a number or a name that changes here breaks them silently. */
class WireNumbersTest {

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "DriverInfoResponse | DriverName=1 SupportedProtocol=2",
                "S3Context | location=1",
                "GCSContext | location=1 project=2",
                "GenericContext | bucket_data=1",
                "ProviderContext | s3_context=1 gcs_context=2 azure_context=3 generic_context=4",
                "Bucket | name=1 provider_context=2 provisioner=3 access_mode=4",
                "CreateBucketRequest | bucket_name=1 request_protocol=2 provider_context=3 driver_parameters=4"
                        + " access_mode=5 secrets=6",
                "CreateBucketResponse | bucket=1",
                "DeleteBucketRequest | bucket_name=1 request_protocol=2 provider_context=3 driver_parameters=4 secrets=5",
                "S3Credentials | id=1 permission=2 owner=3",
                "GCSCredentials | entity=1 role=2 domain=3 project=4",
                "AzureCredentials | id=1 permission=2",
                "GenericCredentials | credentials=1",
                "ProviderCredentials | s3_credentials=1 gcs_credentials=2 azure_credentials=3 generic_credentials=4",
                "GrantBucketAccessRequest | bucket_name=1 request_protocol=2 permissions=3 provider_context=4 secrets=5",
                "GrantBucketAccessResponse | creds=1",
                "RevokeBucketAccessRequest | bucket_name=1 request_protocol=2 permissions=3 provider_context=4"
                        + " service_account=5 secrets=6",
                "RevokeBucketAccessResponse | creds=1"
            })
    void cosiKeepsTheNumbersOfTheProposalAndTheOthersFollowThem(String message, String fields) {
        assertThat(numbers(CosiProto.getDescriptor(), message)).isEqualTo(fields);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "DriverGetInfoResponse | name=1",
                "DriverCreateBucketRequest | name=1 parameters=2",
                "DriverCreateBucketResponse | bucket_id=1 bucket_info=2",
                "DriverDeleteBucketRequest | bucket_id=1 delete_context=2",
                "DriverGrantBucketAccessRequest | bucket_id=1 name=2 authentication_type=3 parameters=4",
                "DriverGrantBucketAccessResponse | account_id=1 credentials=2",
                "DriverRevokeBucketAccessRequest | bucket_id=1 account_id=2 revoke_access_context=3",
                "CredentialDetails | secrets=1",
                "Protocol | s3=1 azureBlob=2 gcs=3",
                "S3 | region=1 signature_version=2",
                "AzureBlob | storage_account=1",
                "GCS | private_key_name=1 project_id=2 service_account=3"
            })
    void releasedCosiHasTheNumbersOfTheDriversOfVendors(String message, String fields) {
        assertThat(numbers(ReleasedCosiProto.getDescriptor(), message)).isEqualTo(fields);
    }

    @Test
    void releasedCosiHasTheEnumsOfTheDriversOfVendors() {
        assertThat(ReleasedCosiProto.getDescriptor().getEnumTypes())
                .extracting(type -> type.getName() + " "
                        + type.getValues().stream()
                                .map(value -> value.getName() + "=" + value.getNumber())
                                .collect(Collectors.joining(" ")))
                .containsExactly(
                        "AuthenticationType UnknownAuthenticationType=0 Key=1 IAM=2",
                        "S3SignatureVersion UnknownSignature=0 S3V2=1 S3V4=2");
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "GetPluginCapabilitiesResponse | capabilities=1",
                "NodePublishVolumeRequest | volume_id=1 publish_context=2 staging_target_path=3 target_path=4"
                        + " volume_capability=5 readonly=6 secrets=7 volume_context=8",
                "NodeUnpublishVolumeRequest | volume_id=1 target_path=2",
                "NodeGetInfoResponse | node_id=1 max_volumes_per_node=2 accessible_topology=3"
            })
    void csiHasTheNumbersThatKubeletSends(String message, String fields) {
        assertThat(numbers(CsiProto.getDescriptor(), message)).isEqualTo(fields);
    }

    @Test
    void servicesAreFoundUnderTheNamesThatOthersCall() {
        assertThat(CosiControllerGrpc.getServiceDescriptor().getMethods())
                .extracting(MethodDescriptor::getFullMethodName)
                .containsExactlyInAnyOrder(
                        "cosi.v1.CosiController/DriverInfo",
                        "cosi.v1.CosiController/CreateBucket",
                        "cosi.v1.CosiController/DeleteBucket",
                        "cosi.v1.CosiController/GrantBucketAccess",
                        "cosi.v1.CosiController/RevokeBucketAccess");
        assertThat(Stream.of(
                                io.bucketwright.cosi.proto.v1alpha1.IdentityGrpc.getServiceDescriptor(),
                                ProvisionerGrpc.getServiceDescriptor())
                        .flatMap(service -> service.getMethods().stream()))
                .extracting(MethodDescriptor::getFullMethodName)
                .containsExactlyInAnyOrder(
                        "cosi.v1alpha1.Identity/DriverGetInfo",
                        "cosi.v1alpha1.Provisioner/DriverCreateBucket",
                        "cosi.v1alpha1.Provisioner/DriverDeleteBucket",
                        "cosi.v1alpha1.Provisioner/DriverGrantBucketAccess",
                        "cosi.v1alpha1.Provisioner/DriverRevokeBucketAccess");
        assertThat(IdentityGrpc.getServiceDescriptor().getName()).isEqualTo("csi.v1.Identity");
        assertThat(NodeGrpc.getServiceDescriptor().getName()).isEqualTo("csi.v1.Node");
        assertThat(RegistrationGrpc.getServiceDescriptor().getName()).isEqualTo("pluginregistration.Registration");
    }

    private static String numbers(FileDescriptor file, String message) {
        Descriptor type = file.getMessageTypes().stream()
                .filter(candidate -> candidate.getName().equals(message))
                .findFirst()
                .orElseThrow();
        return type.getFields().stream()
                .sorted((one, other) -> Integer.compare(one.getNumber(), other.getNumber()))
                .map((FieldDescriptor field) -> field.getName() + "=" + field.getNumber())
                .collect(Collectors.joining(" "));
    }
}
