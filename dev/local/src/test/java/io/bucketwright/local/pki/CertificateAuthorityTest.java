package io.bucketwright.local.pki;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;

import java.io.IOException;
import java.nio.file.Path;
import java.security.cert.X509Certificate;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class CertificateAuthorityTest {

    private final CertificateAuthority authority = CertificateAuthority.create();

    @TempDir
    private Path dir;

    @Test
    void aUsersCertificateCarriesNameAndGroupsAndIsSignedByTheAuthority() {
        X509Certificate certificate = authority
                .client("system:node:a,b=c", List.of("system:nodes", "team \"x\""))
                .certificate();

        assertThat(certificate.getSubjectX500Principal().getName())
                .isEqualTo("CN=system:node:a\\,b\\=c,O=team \\\"x\\\",O=system:nodes");
        assertThatCode(() ->
                        certificate.verify(authority.credential().certificate().getPublicKey()))
                .doesNotThrowAnyException();
    }

    @Test
    void aSavedAuthorityIsTheSameWhenRead() throws IOException {
        authority.credential().save(dir, "ca");
        CertificateAuthority read = CertificateAuthority.load(dir);

        X509Certificate signed = read.client("jane", List.of()).certificate();

        assertThat(read.credential().certificatePem())
                .isEqualTo(authority.credential().certificatePem());
        assertThatCode(() -> signed.verify(authority.credential().certificate().getPublicKey()))
                .doesNotThrowAnyException();
    }

    @Test
    void noKeyIsEverPrinted() {
        Credential credential = authority.client("jane", List.of());

        assertThat(credential + " " + authority)
                .doesNotContain("PRIVATE", credential.keyPem())
                .contains("jane");
    }

    @Test
    void aUserNameCannotBreakOutOfItsPlaceInAKubeconfig() {
        assertThat(authority.kubeconfig("https://127.0.0.1:1", "a\"\\b", List.of()))
                .contains("- name: \"a\\\"\\\\b\"\n");
    }
}
