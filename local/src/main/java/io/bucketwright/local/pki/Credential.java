package io.bucketwright.local.pki;

import java.security.PrivateKey;
import java.security.cert.X509Certificate;

/** A certificate and its key. The key is never printed. */
public record Credential(X509Certificate certificate, PrivateKey key) {

    public String certificatePem() {
        return Pem.of(certificate);
    }

    public String keyPem() {
        return Pem.of(key);
    }

    @Override
    public String toString() {
        return "Credential[" + certificate.getSubjectX500Principal() + "]";
    }
}
